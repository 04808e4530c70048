package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.scheduler.BackfillMetric;
import org.junit.jupiter.api.Test;

class BestFitBackfillTest {
    /** Four processors idle until 100, when a job of eight gets its reservation. */
    private final TestCluster cluster = new TestCluster().nodes(2, 4).running("r", 4, "n1", 0, 100);

    @Test
    void shouldStartTheJobWithTheLargestMetricFirst() {
        cluster.waiting("wide", 8, 500);
        cluster.waiting("one", 1, 100);
        cluster.waiting("three", 3, 50);
        cluster.waiting("two", 2, 100);

        assertThat(new PassFixture(cluster).run(new BestFitBackfill(BackfillMetric.PROCS)))
                .containsExactly("reserve wide 100", "backfill three", "backfill one");
    }

    @Test
    void shouldMeasureByTheMetricInForce() {
        cluster.waiting("wide", 8, 500);
        cluster.waiting("broad", 4, 10);
        cluster.waiting("long", 1, 100);

        assertThat(new PassFixture(cluster).run(new BestFitBackfill(BackfillMetric.PROCSECONDS)))
                .containsExactly("reserve wide 100", "backfill long");
    }

    @Test
    void shouldPreferTheHigherPriorityOfEqualMetrics() {
        cluster.waiting("wide", 8, 500);
        cluster.waiting("first", 3, 100);
        cluster.waiting("second", 3, 50);

        assertThat(new PassFixture(cluster).run(new BestFitBackfill(BackfillMetric.PROCS)))
                .containsExactly("reserve wide 100", "backfill first");
    }

    @Test
    void shouldStartJobsInTheirTurnWithoutRegardToTheMetric() {
        cluster.waiting("small", 1, 1000);
        cluster.waiting("large", 3, 1000);

        assertThat(new PassFixture(cluster).run(new BestFitBackfill(BackfillMetric.PROCS)))
                .containsExactly("start small", "start large");
    }

    @Test
    void shouldMultiplyEquivalentsByTheTime() {
        cluster.waiting("wide", 8, 500);
        cluster.waiting("broad", 4, 10);
        cluster.waiting("long", 1, 100);

        assertThat(new PassFixture(cluster).run(new BestFitBackfill(BackfillMetric.PESECONDS)))
                .containsExactly("reserve wide 100", "backfill long");
    }

    @Test
    void shouldKeepNodesForAJobThatWaitsForAPlugIn() {
        cluster.waiting("wide", 8, 500);
        cluster.waiting("asking", 3, 100);
        cluster.waiting("two", 2, 100);
        PassFixture fixture = new PassFixture(cluster);
        fixture.actions.awaited.add("asking");

        assertThat(fixture.run(new BestFitBackfill(BackfillMetric.PROCS))).containsExactly("reserve wide 100");
    }

    @Test
    void shouldLeaveAWindowToOthersWhenAStartFails() {
        cluster.waiting("wide", 8, 500);
        cluster.waiting("failing", 3, 100);
        cluster.waiting("two", 2, 100);
        PassFixture fixture = new PassFixture(cluster);
        fixture.actions.refused.add("failing");

        fixture.run(new BestFitBackfill(BackfillMetric.PROCS));

        assertThat(fixture.actions.steps).doesNotContain("backfill failing");
        assertThat(fixture.actions.considered).startsWith("wide", "failing", "two", "failing", "failing");
    }

    @Test
    void shouldCountTheJobsThatOvertakeABlockedOne() {
        cluster.waiting("wide", 8, 500);
        cluster.waiting("one", 1, 100);
        cluster.waiting("three", 3, 50);
        PassFixture fixture = new PassFixture(cluster);

        fixture.run(new BestFitBackfill(BackfillMetric.PROCS));

        assertThat(fixture.actions.bypasses).containsExactly(java.util.Map.entry("wide", 2));
    }

    @Test
    void shouldLookAtAllJobsInEveryPass() {
        assertThat(new BestFitBackfill(BackfillMetric.PROCS).resumable()).isFalse();
    }
}
