package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.TestCluster;
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
}
