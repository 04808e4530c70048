package io.weir.scheduler.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.TaskRequirement;
import java.time.Instant;
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

    @Test
    void shouldReserveNodesForEveryOtherUser() {
        MixedCluster cluster = new MixedCluster(10);

        assertThat(cluster.reserved(0)).isEmpty();
        assertThat(cluster.reserved(30))
                .startsWith("SRCFG[reserved] HOSTLIST=n00000,n00001,n00002 USERLIST=u0,u2,")
                .endsWith(",u198 PERIOD=INFINITY\n");
        IterationReport free = new IterationBench(cluster, 50, cluster.reserved(0), 1).run(0, 5);
        IterationReport reserved = new IterationBench(cluster, 50, cluster.reserved(100), 1).run(0, 5);
        assertThat(reserved.running()).isNotEqualTo(free.running());
    }

    @Test
    void shouldHaveOneUserAskForMuch() {
        for (DemandingWorkload kind : DemandingWorkload.values()) {
            IterationBench bench =
                    new IterationBench(new MixedCluster(10), 20, "RESERVATIONDEPTH INFINITY", 1).demanding(3, 5, kind);
            bench.fill();

            assertThat(bench.waitingIds()).as("%s", kind).contains("demanding00000", "demanding00002");
            bench.iterate();
        }
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

    @Test
    void shouldHaveNodesDrainedAndJobsDue() {
        IterationReport report = new IterationBench(new MixedCluster(20), 200, "RESERVATIONDEPTH INFINITY", 1)
                .drained(5)
                .due(50)
                .run(1, 5);

        assertThat(report.busyShare()).as("the drained nodes take no jobs").isLessThan(0.9);
    }

    @Test
    void shouldHaveJobsTakeAsFewNodesAsWillDo() {
        MixedWorkload workload = new MixedWorkload("bench", 1);
        assertThat(workload.next(Instant.EPOCH).getRequirements()).noneMatch(TaskRequirement::getFewestNodes);

        workload.onFewestNodes(true);

        assertThat(workload.next(Instant.EPOCH).getRequirements()).allMatch(TaskRequirement::getFewestNodes);
    }
}
