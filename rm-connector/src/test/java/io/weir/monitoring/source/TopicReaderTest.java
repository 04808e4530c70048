package io.weir.monitoring.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.monitoring.format.Format;
import io.weir.monitoring.format.Formats;
import io.weir.monitoring.format.Reading;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reader of topics does with a message on which a format fails: it must not come back for ever. */
class TopicReaderTest {

    @TempDir
    Path directory;

    @Test
    void shouldCountAMessageOnWhichAFormatFailsAndGoOn() throws Exception {
        try (SourceFixture source = new SourceFixture(directory)) {
            Facts facts = source.intake.take("topic", new Failing(), "x".getBytes(StandardCharsets.UTF_8));

            assertThat(facts.count(Matching.UNREADABLE)).isEqualTo(1);
            assertThat(facts.reason()).contains("failing").contains("IllegalStateException");
            assertThat(source.intake
                            .take(
                                    "topic",
                                    Formats.named("influx").orElseThrow(),
                                    "temp,host=n1 value=1".getBytes(StandardCharsets.UTF_8))
                            .count(Matching.MATCHED))
                    .isEqualTo(1);
        }
    }

    /** A format with a fault. */
    private static final class Failing implements Format {

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public Reading read(byte[] message) {
            throw new IllegalStateException("a fault");
        }
    }
}
