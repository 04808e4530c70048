package io.weir.scheduler.query.image;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.CapturedLog;
import io.weir.topics.PoisonRecordException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnreadableRecordsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final UnreadableRecords unreadable = new UnreadableRecords(meters);

    @RegisterExtension
    final CapturedLog log = new CapturedLog(UnreadableRecords.class, Level.WARN);

    /** A registry that lost its schemas makes each node and job such a record, and commands log to the terminal. */
    @Test
    void shouldCountAllOfManyAndLogSome() {
        note("nodes", 25);
        note("jobs", 1);

        assertThat(log.lines())
                .hasSize(11 + 1)
                .anyMatch(line -> line.contains("topic=nodes partition=0 offset=19, number 20 of this topic"))
                .anyMatch(line -> line.contains("topic=jobs partition=0 offset=0, number 1 of this topic"));
        assertThat(meters.get("weir.api.records.unreadable")
                        .tag("topic", "nodes")
                        .counter()
                        .count())
                .isEqualTo(25);
        assertThat(unreadable.warning())
                .hasValueSatisfying(said -> assertThat(said).contains("1 of jobs, 25 of nodes"));
    }

    private void note(String topic, int records) {
        for (int offset = 0; offset < records; offset++) {
            unreadable.note(
                    new UnreadableRecords.Place(topic, 0, offset, "c1/" + offset),
                    new PoisonRecordException("no such schema"));
        }
    }
}
