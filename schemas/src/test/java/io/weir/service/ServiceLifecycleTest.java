package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ServiceLifecycleTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final ServiceLifecycle lifecycle = new ServiceLifecycle();
    private final List<String> closed = new CopyOnWriteArrayList<>();

    @Test
    void shouldCloseInReverseOrderOnce() {
        lifecycle.onClose("producer", LONG, () -> closed.add("producer"));
        lifecycle.onClose("streams", LONG, () -> closed.add("streams"));

        lifecycle.close();
        lifecycle.close();

        assertThat(closed).containsExactly("streams", "producer");
        assertThat(lifecycle.exitCode()).isZero();
    }

    @Test
    void shouldGoOnWithoutWhatDoesNotCloseInTime() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        lifecycle.onClose("producer", LONG, () -> closed.add("producer"));
        lifecycle.onClose("stuck", Duration.ofMillis(50), () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });

        lifecycle.close();

        assertThat(closed).containsExactly("producer");
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(lifecycle.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldGoOnWithoutWhatFailsToClose() {
        lifecycle.onClose("producer", LONG, () -> closed.add("producer"));
        lifecycle.onClose("broken", LONG, () -> {
            throw new IllegalStateException("broken on purpose");
        });

        lifecycle.close();

        assertThat(closed).containsExactly("producer");
        assertThat(lifecycle.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldCloseAtOnceWhatIsOpenedTooLate() {
        lifecycle.close();

        lifecycle.onClose("late", LONG, () -> closed.add("late"));

        assertThat(closed).containsExactly("late");
    }

    @Test
    void shouldStopWithExitCodeOneOnFailure() throws Exception {
        assertThat(lifecycle.isAlive()).isTrue();

        lifecycle.fail(new IllegalStateException("failed on purpose"));

        lifecycle.awaitStopRequest();
        lifecycle.close();
        assertThat(lifecycle.isAlive()).isFalse();
        assertThat(lifecycle.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldMakeASecondCloserWaitForTheFirst() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        lifecycle.onClose("slow", LONG, () -> {
            closing.countDown();
            release.await();
            closed.add("slow");
        });
        Thread first = new Thread(lifecycle::close);
        Thread second = new Thread(() -> {
            lifecycle.close();
            closed.add("second");
        });

        first.start();
        closing.await();
        second.start();
        release.countDown();
        first.join();
        second.join();

        assertThat(closed).containsExactly("slow", "second");
    }

    @Test
    void shouldLetWhatIsBeingClosedReportItsFailure() {
        lifecycle.onClose("streams", LONG, () -> lifecycle.fail(new IllegalStateException("failed on purpose")));

        lifecycle.close();

        assertThat(lifecycle.exitCode()).isEqualTo(1);
    }
}
