package io.weir.rm.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.trace.TraceJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class GeneratedWorkloadTest {

    @Test
    void shouldBeTheSameForTheSameSeed() {
        assertThat(workload(1)).isEqualTo(workload(1));
        assertThat(workload(1).digest())
                .isEqualTo("9d857fa796032874")
                .isNotEqualTo(workload(2).digest());
    }

    @Test
    void shouldFitTheMachineAndTheLoad() {
        List<TraceJob> jobs = workload(1).jobs();

        assertThat(jobs).hasSize(5_000).allSatisfy(job -> {
            assertThat(job.procs()).isBetween(1, 128);
            assertThat(job.run()).isBetween(1L, 14_400L);
            assertThat(job.estimate()).isPositive();
        });
        assertThat(jobs).extracting(TraceJob::submit).isSorted();
        double work = jobs.stream()
                .mapToDouble(job -> (double) job.procs() * job.run())
                .sum();
        double load = work / (128.0 * jobs.get(jobs.size() - 1).submit());
        assertThat(load).isBetween(0.5, 1.2);
        assertThat(jobs.stream().filter(job -> job.run() > job.estimate()).count())
                .isBetween(50L, 500L);
    }

    private static Workload workload(long seed) {
        return new GeneratedWorkload(5_000, seed, 0.9, 14_400).on(128);
    }
}
