package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.plan.TestCluster;
import org.junit.jupiter.api.Test;

class NoBackfillTest {
    private final TestCluster cluster = new TestCluster().nodes(4, 1).running("r", 2, "n1", 0, 100);

    @Test
    void shouldStartNothingBehindABlockedJob() {
        cluster.waiting("first", 1, 50);
        cluster.waiting("wide", 4, 50);
        cluster.waiting("short", 1, 50);

        assertThat(new PassFixture(cluster).run(new NoBackfill())).containsExactly("start first");
    }

    @Test
    void shouldNotBeBlockedByAJobThatNothingCouldHold() {
        cluster.waiting("never", 5, 50);
        cluster.waiting("short", 1, 50);

        assertThat(new PassFixture(cluster).run(new NoBackfill())).containsExactly("impossible never", "start short");
    }

    @Test
    void shouldBlockBehindAJobThatWaitsForAPlugIn() {
        cluster.waiting("asking", 1, 50);
        cluster.waiting("next", 1, 50);
        PassFixture fixture = new PassFixture(cluster);
        fixture.actions.awaited.add("asking");

        assertThat(fixture.run(new NoBackfill())).isEmpty();
    }

    @Test
    void shouldStayBlockedInAContinuedPass() {
        cluster.waiting("wide", 4, 50);
        PassFixture fixture = new PassFixture(cluster);
        NoBackfill strategy = new NoBackfill();
        PlanningPass pass = fixture.pass(strategy);

        cluster.waiting("short", 1, 50);
        strategy.plan(pass);

        assertThat(fixture.actions.steps).isEmpty();
    }

    @Test
    void shouldStartJobsInTurnOnTheNodesThatOthersLeave() {
        cluster.waiting("a", 2, 50);
        cluster.waiting("b", 1, 50);
        cluster.waiting("c", 1, 50);

        assertThat(new PassFixture(cluster).run(new NoBackfill())).containsExactly("start a", "start b");
    }

    @Test
    void shouldBlockBehindAJobWhoseStartFails() {
        cluster.waiting("a", 1, 50);
        cluster.waiting("b", 1, 50);
        PassFixture fixture = new PassFixture(cluster);
        fixture.actions.refused.add("a");

        assertThat(fixture.run(new NoBackfill())).isEmpty();
    }

    @Test
    void shouldLookAtJobsBehindThoseSeenOnlyInAContinuedPass() {
        cluster.waiting("never", 5, 50);
        PassFixture fixture = new PassFixture(cluster);
        NoBackfill strategy = new NoBackfill();
        PlanningPass pass = fixture.pass(strategy);

        cluster.waiting("short", 1, 50);
        strategy.plan(pass);

        assertThat(fixture.actions.considered).containsExactly("never", "short");
        assertThat(fixture.actions.steps).containsExactly("impossible never", "start short");
    }

    @Test
    void shouldNeitherReserveNorRetain() {
        assertThat(new NoBackfill().reserves()).isFalse();
        assertThat(new NoBackfill().retains()).isFalse();
    }
}
