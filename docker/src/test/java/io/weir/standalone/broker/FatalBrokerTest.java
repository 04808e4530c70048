package io.weir.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FatalBrokerTest {
    @TempDir
    private Path directory;

    @Test
    void shouldTellAFullDiskFromOtherTrouble() {
        assertThat(FatalBroker.reason(Path.of("/data/broker"), 3, null))
                .startsWith("The disk of /data/broker is full, 3 MiB are free: make room there");
        assertThat(FatalBroker.reason(Path.of("/data/broker"), 50_000, "Encountered fatal fault"))
                .startsWith("Encountered fatal fault. It could not use /data/broker, for which 50000 MiB are free");
    }

    /** Kafka ends the process on the spot. */
    @ParameterizedTest
    @ValueSource(strings = {"halt", "exit"})
    void shouldNotLetTheProcessEndWithoutAWord(String way) throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Ending.class.getName(),
                        directory.toString(),
                        way)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(process.exitValue()).isEqualTo(3);
        assertThat(directory.resolve("said"))
                .content()
                .contains("The broker cannot go on, and this process ends", directory.toString());
    }

    /** A process that Kafka ends. */
    static final class Ending {
        public static void main(String[] args) {
            FatalBroker.explain(Path.of(args[0]));
            if (args[1].equals("halt")) {
                Exit.halt(3);
            } else {
                Exit.exit(3);
            }
        }
    }
}
