package io.weir.scheduler.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IterationBenchTest {
    @Test
    void shouldMeasureAFullClusterWithALongQueue() {
        IterationReport report = new IterationBench(new MixedCluster(20), 200, "RESERVATIONDEPTH 3", 1).run(2, 10);

        assertThat(report.iterations()).isEqualTo(10);
        assertThat(report.running()).isPositive();
        assertThat(report.coldMillis()).isPositive();
        assertThat(report.p99Millis()).isGreaterThanOrEqualTo(report.p50Millis());
        assertThat(report.bytesPerIteration()).isPositive();
    }

    @Test
    void shouldStartTheSameJobsFromTheSameSeed() {
        assertThat(startsOf(7)).isEqualTo(startsOf(7)).isPositive();
    }

    private static int startsOf(long seed) {
        IterationBench bench = new IterationBench(new MixedCluster(10), 50, "", seed);
        bench.fill();
        int starts = 0;
        for (int i = 0; i < 20; i++) {
            bench.step();
            starts += bench.carryOut(bench.iterate());
        }
        return starts;
    }
}
