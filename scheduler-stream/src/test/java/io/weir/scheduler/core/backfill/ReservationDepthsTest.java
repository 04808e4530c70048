package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import org.junit.jupiter.api.Test;

class ReservationDepthsTest {
    private final TestCluster cluster = new TestCluster().nodes(2, 1);

    private ReservationDepths depths(BackfillStrategy strategy, String... lines) {
        SitePolicy policy = TestCluster.policy(lines);
        return new ReservationDepths(policy, strategy, new PartitionRules(policy, cluster.nodes));
    }

    @Test
    void shouldHaveOnePlaceWithoutConfiguration() {
        ReservationDepths depths = depths(new FirstFitBackfill());
        int group = depths.group(cluster.waiting("a", 1, 10));

        assertThat(depths.open(group)).isTrue();
        depths.take(group);

        assertThat(depths.open(group)).isFalse();
        assertThat(depths.open()).isFalse();
    }

    @Test
    void shouldCountEachGroupByItself() {
        ReservationDepths depths = depths(
                new FirstFitBackfill(), "RESERVATIONDEPTH[0] 1", "RESERVATIONQOSLIST[0] high", "RESERVATIONDEPTH 2");
        int high = depths.group(job("a", "high"));
        int other = depths.group(job("b", "low"));

        depths.take(high);

        assertThat(high).isNotEqualTo(other);
        assertThat(depths.open(high)).isFalse();
        assertThat(depths.open(other)).isTrue();
        assertThat(depths.open()).isTrue();
    }

    @Test
    void shouldNeverRunOutOfUnlimitedPlaces() {
        ReservationDepths depths = depths(new FirstFitBackfill(), "RESERVATIONDEPTH INFINITY");
        int group = depths.group(cluster.waiting("a", 1, 10));

        for (int i = 0; i < 10_000; i++) {
            depths.take(group);
        }

        assertThat(depths.open(group)).isTrue();
    }

    @Test
    void shouldHaveNoPlaceWhereTheBackfillPolicyReservesNothing() {
        assertThat(depths(new PreemptBackfill()).open()).isFalse();
        assertThat(depths(new NoBackfill()).open()).isFalse();
    }

    @Test
    void shouldHaveNoPlaceUnderReservationPolicyNever() {
        ReservationDepths depths = depths(new FirstFitBackfill(), "RESERVATIONPOLICY NEVER");

        assertThat(depths.open()).isFalse();
        assertThat(depths.open(depths.group(cluster.waiting("a", 1, 10)))).isFalse();
    }

    @Test
    void shouldKnowFromTheQueueAloneThatAJobGetsNoPlace() {
        ReservationDepths depths = depths(
                new FirstFitBackfill(), "RESERVATIONDEPTH[0] 1", "RESERVATIONQOSLIST[0] high", "RESERVATIONDEPTH 1");
        Job high = job("a", "high");
        job("b", "low");
        depths.take(depths.group(high));

        assertThat(depths.closed(cluster.jobs.queue(), 0)).isTrue();
        assertThat(depths.closed(cluster.jobs.queue(), 1)).isFalse();
    }

    private Job job(String id, String qos) {
        return cluster.waiting(id, qos, 10, io.weir.scheduler.core.job.Requirement.ofProcs(1, 1));
    }
}
