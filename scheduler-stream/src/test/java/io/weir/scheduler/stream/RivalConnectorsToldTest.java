package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Two connectors of different ids on one resource manager: nothing replaces either of them. */
class RivalConnectorsToldTest {
    private final StreamHarness harness = StreamHarness.rm();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ClusterIntake.class);
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
        harness.close();
    }

    @Test
    void shouldBeToldOfOnce() {
        FakeConnector first = new FakeConnector(harness, "alpha", "first");
        FakeConnector second = new FakeConnector(harness, "alpha", "second");
        harness.deliver(first.hello());
        harness.deliver(first.node("n1", 4));
        harness.deliver(second.hello());
        harness.deliver(second.node("n1", 4));
        assertThat(log.list).isEmpty();

        harness.deliver(first.node("n1", 8));
        harness.deliver(second.node("n1", 8));

        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .startsWith("Connectors first and second of cluster alpha report the same in turns, such as node n1:")
                .contains("connector.id");
    }
}
