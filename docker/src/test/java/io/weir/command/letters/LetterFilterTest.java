package io.weir.command.letters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.command.terminal.BadInputException;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.RecordHeader;
import io.weir.topics.FactHeaders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LetterFilterTest {
    @Test
    void shouldRefuseACauseThatNoLetterHas() {
        assertThatThrownBy(() -> filter("--cause=nosuch").test(InstantSource.system()))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith(
                        "--cause nosuch is no cause of a dead letter; there are QUARANTINED, NOT_RESTORED,");
        assertThat(filter("--cause=undecodable").test(InstantSource.system())).isNotNull();
    }

    /** Foreign topics have letters, too, as those of the monitoring source. */
    @Test
    void shouldRefuseATopicThatIsNoneOfWeirUnlessALetterCameFromIt() {
        for (String topic : List.of("notifications", "requests", "collectd")) {
            LetterFilter filter = filter("--topic=" + topic);
            Predicate<FiledLetter> test = filter.test(InstantSource.system());
            assertThat(test.test(givenUpBy("mail"))).isEqualTo(topic.equals("notifications"));

            if (topic.equals("collectd")) {
                assertThatThrownBy(filter::requireTopic)
                        .isInstanceOf(BadInputException.class)
                        .hasMessageStartingWith("--topic collectd is no topic of Weir, and no dead letter came from it;"
                                + " there are rm.nodes, rm.jobs,");
                assertThat(test).accepts(from("collectd"));
            }
            filter.requireTopic();
        }
    }

    private static FiledLetter from(String topic) {
        DeadLetter letter =
                DeadLetter.newBuilder(givenUpBy(null).letter()).setTopic(topic).build();
        return new FiledLetter(0, 0, Instant.EPOCH, "c1", letter);
    }

    @Test
    void shouldChooseWhatOneChannelGaveUp() {
        Predicate<FiledLetter> mail = filter("--channel=mail").test(InstantSource.system());

        assertThat(mail).accepts(givenUpBy("mail")).rejects(givenUpBy("pager"), givenUpBy(null));
        assertThat(filter("--channel=mail").isEmpty()).isFalse();
    }

    private static FiledLetter givenUpBy(@Nullable String channel) {
        RecordHeaders headers = new RecordHeaders();
        if (channel != null) {
            FactHeaders.CHANNEL.put(headers, channel);
        }
        DeadLetter letter = DeadLetter.newBuilder()
                .setService("notifier")
                .setTopic("notifications")
                .setPartition(0)
                .setOffset(7)
                .setTimestamp(0)
                .setCause("UNDELIVERED")
                .setMessage("away")
                .setHeaders(Stream.of(headers.toArray())
                        .map(header -> new RecordHeader(header.key(), ByteBuffer.wrap(header.value())))
                        .toList())
                .build();
        return new FiledLetter(0, 0, Instant.EPOCH, "c1", letter);
    }

    @Test
    void shouldKnowTheCausesOfTheHandbook() throws IOException {
        Set<String> documented = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../scheduler-stream/docs/trouble.md"))) {
            Matcher code = Pattern.compile("`([A-Z_]+)`")
                    .matcher(line.split("\\|", 3).length < 3 ? "" : line.split("\\|", 3)[1]);
            while (code.find()) {
                documented.add(code.group(1));
            }
        }
        assertThat(documented).containsAll(LetterFilter.CAUSES);
        documented.remove("REDRIVEN");
        assertThat(LetterFilter.CAUSES)
                .containsAll(documented.stream()
                        .filter(cause -> !cause.startsWith("SMD_"))
                        .toList());
    }

    private static LetterFilter filter(String... options) {
        return CommandLine.populateCommand(new LetterFilter(), options);
    }
}
