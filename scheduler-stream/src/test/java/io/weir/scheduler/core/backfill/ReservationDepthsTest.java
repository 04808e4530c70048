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

    @Test
    void shouldHaveNoPlaceAtDepthNought() {
        ReservationDepths depths = depths(new FirstFitBackfill(), "RESERVATIONDEPTH 0");

        assertThat(depths.open()).isFalse();
        assertThat(depths.closed(cluster.jobs.queue(), 0)).isTrue();
    }

    @Test
    void shouldHaveNoPlaceForAJobThatNoGroupCovers() {
        ReservationDepths depths = depths(
                new FirstFitBackfill(),
                "RESERVATIONDEPTH[0] 1",
                "RESERVATIONQOSLIST[0] high",
                "RESERVATIONDEPTH[DEFAULT] 1",
                "RESERVATIONQOSLIST[DEFAULT] low");
        int none = depths.group(job("a", "other"));

        assertThat(depths.open(none)).isFalse();
        depths.take(none);

        assertThat(depths.open(depths.group(job("b", "high")))).isTrue();
        assertThat(depths.open(depths.group(job("c", "low")))).isTrue();
    }

    @Test
    void shouldKnowTheGroupsOfManyQualitiesOfService() {
        ReservationDepths depths = depths(
                new FirstFitBackfill(),
                "RESERVATIONDEPTH[0] 1",
                "RESERVATIONQOSLIST[0] q0,q7",
                "RESERVATIONDEPTH[DEFAULT] 1",
                "RESERVATIONQOSLIST[DEFAULT] another");
        for (int i = 0; i < 8; i++) {
            job("j" + i, "q" + i);
        }

        for (int i = 7; i >= 0; i--) {
            assertThat(depths.closed(cluster.jobs.queue(), i)).as("q%d", i).isEqualTo(i != 0 && i != 7);
        }
    }

    @Test
    void shouldNotJudgeByTheQueueAloneWherePartitionsHaveRulesOfTheirOwn() {
        SitePolicy policy = TestCluster.policy("RESERVATIONPOLICY NEVER", "PARCFG[a] RESERVATIONPOLICY=HIGHEST");
        TestCluster divided = new TestCluster().node("a1", 1, 0, "a").node("b1", 1, 0, "b");
        ReservationDepths depths =
                new ReservationDepths(policy, new FirstFitBackfill(), new PartitionRules(policy, divided.nodes));
        Job anywhere = divided.waiting("anywhere", 1, 10);

        assertThat(depths.closed(divided.jobs.queue(), 0)).isFalse();
        assertThat(depths.open(depths.group(anywhere)))
                .as("its partitions disagree, so that it follows the site")
                .isFalse();
    }

    private Job job(String id, String qos) {
        return cluster.waiting(id, qos, 10, io.weir.scheduler.core.job.Requirement.ofProcs(1, 1));
    }
}
