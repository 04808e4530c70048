package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.weir.scheduler.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two connectors of different ids on one resource manager: nothing replaces either of them. */
class RivalConnectorsToldTest {
    private final StreamHarness harness = StreamHarness.rm();

    @RegisterExtension
    final CapturedLog log = new CapturedLog(ClusterIntake.class, Level.WARN);

    @AfterEach
    void close() {
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
        assertThat(log.lines()).isEmpty();

        harness.deliver(first.node("n1", 8));
        harness.deliver(second.node("n1", 8));

        assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("Connectors first and second of cluster alpha report the same in turns, such as node n1:")
                .contains("connector.id");
    }
}
