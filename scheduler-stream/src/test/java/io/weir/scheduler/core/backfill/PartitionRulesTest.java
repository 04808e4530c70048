package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobOptions;
import io.weir.scheduler.core.plan.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionRulesTest {
    private final TestCluster cluster = new TestCluster().node("a1", 1, 0, "a").node("b1", 1, 0, "b");
    private final Job anywhere = cluster.waiting("anywhere", 1, 10);

    private PartitionRules rules(String... lines) {
        return new PartitionRules(TestCluster.policy(lines), cluster.nodes);
    }

    @Test
    void shouldFollowTheSiteWhereNoPartitionSaysOtherwise() {
        PartitionRules rules = rules("RESERVATIONPOLICY HIGHEST");

        assertThat(rules.of(anywhere)).isInstanceOf(HighestReservations.class);
        assertThat(rules.local()).isFalse();
        assertThat(rules.retains()).isTrue();
        assertThat(rules.reserves()).isTrue();
    }

    @Test
    void shouldFollowTheSiteForAJobWhosePartitionsDisagree() {
        PartitionRules rules = rules("RESERVATIONPOLICY NEVER", "PARCFG[a] RESERVATIONPOLICY=HIGHEST");

        assertThat(rules.local()).isTrue();
        assertThat(rules.of(anywhere)).isInstanceOf(NoReservations.class);
        assertThat(rules.reserves()).as("for jobs of partition a").isTrue();
    }

    @Test
    void shouldFollowThePartitionsForAJobThatMayGoToAllWhenTheyAgree() {
        PartitionRules rules = rules("PARCFG[a] RESERVATIONPOLICY=NEVER", "PARCFG[b] RESERVATIONPOLICY=NEVER");

        assertThat(rules.of(anywhere)).isInstanceOf(NoReservations.class);
    }

    @Test
    void shouldReserveAndRetainNothingUnderNever() {
        PartitionRules rules = rules("RESERVATIONPOLICY NEVER");

        assertThat(rules.reserves()).isFalse();
        assertThat(rules.retains()).isFalse();
    }

    @Test
    void shouldFollowTheSiteWherePartitionsRepeatWhatItSays() {
        assertThat(rules("RESERVATIONPOLICY HIGHEST", "PARCFG[a] RESERVATIONPOLICY=HIGHEST")
                        .local())
                .isFalse();
    }

    @Test
    void shouldFollowThePartitionThatAJobNames() {
        PartitionRules rules = rules("RESERVATIONPOLICY NEVER", "PARCFG[a] RESERVATIONPOLICY=HIGHEST");

        assertThat(rules.of(in("a"))).isInstanceOf(HighestReservations.class);
        assertThat(rules.of(in("b"))).isInstanceOf(NoReservations.class);
        assertThat(rules.retains()).as("for jobs of partition a").isTrue();
    }

    private Job in(String partition) {
        return cluster.waiting(
                "in-" + partition,
                1,
                10,
                new JobOptions(List.of(partition), List.of(), null, null, null, null, null, List.of(), Job.NONE, null));
    }
}
