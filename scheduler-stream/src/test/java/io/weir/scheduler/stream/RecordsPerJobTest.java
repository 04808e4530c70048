package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.journal.OutputTopics;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the life of a job costs in records, as docs/performance.md has it; more than that is to be noticed. */
class RecordsPerJobTest {
    private final StreamHarness harness = StreamHarness.wall();
    private final FakeConnector connector = new FakeConnector(harness);

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldPutOutAsManyRecordsForAJobAsTheDocumentationSays() {
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.heartbeat());
        settle();
        Map<String, Integer> before = counts();

        harness.deliver(connector.job(1, 1));
        settle();
        RmCommand start = harness.read(Topics.COMMANDS).get(0);
        harness.deliver(connector.done(start));
        harness.deliver(connector.running(1, 1, "n1"));
        settle();
        harness.advance(Duration.ofSeconds(30));
        harness.deliver(connector.ended(1, 1));
        settle();

        Map<String, Integer> records = counts();
        before.forEach((topic, count) -> records.merge(topic, -count, Integer::sum));
        records.values().removeIf(count -> count == 0);
        assertThat(records)
                .isEqualTo(Map.of(
                        "commands", 1,
                        "decisions", 1,
                        "jobs", 3,
                        "journal: inputs", 4,
                        "journal: iterations", 3));
    }

    private void settle() {
        harness.advance(Duration.ofMillis(20));
    }

    private Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Topic<?> topic : OutputTopics.all()) {
            counts.put(topic.name(), harness.read(topic).size());
        }
        counts.put("journal: iterations", harness.iterations().size());
        counts.put("journal: inputs", (int) harness.journaledInputs());
        return counts;
    }
}
