package io.weir.notifier.runtime.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actions;
import io.weir.notifier.spi.Actor;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LengthyActionsTest {

    private static final Duration SHORT = Duration.ofMillis(50);

    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();
    private final LengthyActions actions = new LengthyActions("action.exec", SHORT);

    private final Actor actor = new Actor() {
        @Override
        public ActionResult carryOut(Action action) throws InterruptedException {
            runs.incrementAndGet();
            begun.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return ActionResult.of(ActionResult.Outcome.DONE, "over");
        }

        @Override
        public boolean repeatable() {
            return false;
        }

        @Override
        public void close() {
            gate.countDown();
        }
    };

    private static Action action() {
        return Actions.of("exec", "/opt/run", Map.of(), null);
    }

    @Test
    void shouldComeBackWhileAnActionIsUnderWayAndBeginItOnce() throws Exception {
        assertThat(actions.carryOut("a", actor, action())).isEmpty();
        assertThat(actions.carryOut("a", actor, action())).isEmpty();
        assertThat(actions.has("a")).isTrue();
        assertThat(actions.any()).isTrue();
        gate.countDown();

        assertThat(actions.carryOut("a", actor, action()))
                .hasValueSatisfying(result -> assertThat(result.message()).isEqualTo("over"));
        assertThat(actions.has("a")).isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void shouldInterruptWhatIsUnderWayAtTheEnd() throws Exception {
        assertThat(actions.carryOut("a", actor, action())).isEmpty();
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        actions.close();

        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(actions.any()).isFalse();
    }

    @Test
    void shouldInterruptAnActionWithTheThreadThatWaitsForIt() throws Exception {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> actions.carryOut("a", actor, action())).isInstanceOf(InterruptedException.class);
        assertThat(actions.has("a")).isFalse();
    }
}
