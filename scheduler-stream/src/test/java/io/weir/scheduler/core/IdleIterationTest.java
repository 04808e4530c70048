package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What an iteration costs that has nothing to do: what a site does not use costs it nothing. */
class IdleIterationTest {
    private static final int ITERATIONS = 1_000;

    /** Bytes; it takes 4,100 without the second compiler, and 10,400 with all its parts made whether they are needed or not. */
    private static final long MOST_BYTES = 5_000;

    private final ClusterScheduler scheduler = ClusterScheduler.unobserved("c");

    @Test
    void shouldMakeLittle() {
        allocatedByIterations(0);

        assertThat(allocatedByIterations(ITERATIONS) / ITERATIONS).isLessThan(MOST_BYTES);
    }

    private long allocatedByIterations(int first) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ITERATIONS; i++) {
            scheduler.iterate(Instant.ofEpochSecond(1_000L + first + i));
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
