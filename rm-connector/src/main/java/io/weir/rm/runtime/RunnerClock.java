package io.weir.rm.runtime;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Time as a runner sees it: how much has passed, and waiting for more. One thread. */
public interface RunnerClock {

    /** The machine's own time. */
    RunnerClock SYSTEM = of(System::nanoTime);

    /** Returns a monotonic clock, in nanoseconds. */
    long nanos();

    /** Waits for {@code pause}, or until {@code stopping} is at zero. */
    void pause(Duration pause, CountDownLatch stopping) throws InterruptedException;

    /** Returns a clock that measures by {@code nanos} and waits by the machine's own time. */
    static RunnerClock of(LongSupplier nanos) {
        return new RunnerClock() {
            @Override
            public long nanos() {
                return nanos.getAsLong();
            }

            @Override
            @SuppressWarnings("ReturnValueIgnored") // over or stopping: the caller looks
            public void pause(Duration pause, CountDownLatch stopping) throws InterruptedException {
                var unused = stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
            }
        };
    }
}
