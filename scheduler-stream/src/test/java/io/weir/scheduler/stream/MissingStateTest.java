package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store that comes back without what it held, as Kafka Streams restores it from a topic that was made anew. */
@NullUnmarked
class MissingStateTest {
    private final StreamHarness harness = StreamHarness.rm();
    private final FakeConnector alpha = new FakeConnector(harness);

    @BeforeEach
    void schedule() {
        harness.deliver(alpha.hello());
        harness.deliver(alpha.node("n1", 4));
        harness.deliver(alpha.heartbeat());
        harness.deliver(alpha.heartbeat());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldNotGoOnWithoutTheEntities() {
        harness.loseEntities();

        assertThatThrownBy(harness::start)
                .isInstanceOf(MissingStateException.class)
                .hasMessageStartingWith(
                        "The state of cluster 'alpha' is of iteration 0, but the journal stands at iteration 2");
    }

    @Test
    void shouldNotGoOnWithoutTheJournalsPosition() {
        harness.loseJournalStatus();

        assertThatThrownBy(harness::start)
                .isInstanceOf(MissingStateException.class)
                .hasMessageStartingWith(
                        "The state of cluster 'alpha' is of iteration 2, but the journal stands at iteration 0");
    }
}
