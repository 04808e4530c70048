package io.weir.scheduler.query.image;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.topics.PoisonRecordException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class UnreadableRecordsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final UnreadableRecords unreadable = new UnreadableRecords(meters);
    private final Logger logger = (Logger) LoggerFactory.getLogger(UnreadableRecords.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    /** A registry that lost its schemas makes each node and job such a record, and commands log to the terminal. */
    @Test
    void shouldCountAllOfManyAndLogSome() {
        note("nodes", 25);
        note("jobs", 1);

        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
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
