package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.NodeState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What PARCFG decides about the jobs of one partition. Each partition has one processor, taken for an hour. */
class PartitionPoliciesTest {
    private static final long HOUR = 3600;
    private static final String BY_USER = "RESERVATIONDEPTH 1\nQUEUETIMEWEIGHT 0\nUSERWEIGHT 1\n"
            + "USERCFG[low] PRIORITY=1\nUSERCFG[mid] PRIORITY=50\nUSERCFG[high] PRIORITY=100\n";

    private final SchedulerFixture weir = new SchedulerFixture();

    @Test
    @Feature("RSV-8")
    void shouldReserveNothingInAPartitionWithNever() {
        twoPartitions("PARCFG[a] RESERVATIONPOLICY=NEVER\n");
        submit("inA", "a", "ann");
        submit("inB", "b", "ann");
        weir.iterate(0);

        assertThat(weir.publishedReservations.keySet()).containsExactly("inB");
    }

    @Test
    @Feature({"RSV-5", "RSV-7"})
    void shouldKeepReservationsOfPartitionsWithHighestAlone() {
        twoPartitions("PARCFG[a] RESERVATIONPOLICY=HIGHEST\n" + BY_USER);
        submit("a1", "a", "low");
        weir.iterate(0);
        assertThat(weir.publishedReservations.keySet()).containsExactly("a1");

        submit("b1", "b", "mid");
        weir.iterate(10);
        assertThat(weir.publishedReservations.keySet()).containsExactly("a1", "b1");

        submit("b2", "b", "high");
        weir.iterate(20);
        assertThat(weir.publishedReservations.keySet())
                .as("a1 is kept, b1 gives way to the job now on top")
                .containsExactly("a1", "b2");
    }

    @Test
    @Feature("RSV-8")
    void shouldFollowTheSiteWhereThePartitionsOfAJobDisagree() {
        twoPartitions("PARCFG[a] RESERVATIONPOLICY=NEVER\n");
        weir.submit("any", 1, HOUR).iterate(0);
        assertThat(weir.publishedReservations.keySet()).containsExactly("any");

        weir.policy("RESERVATIONPOLICY NEVER\nPARCFG[a] RESERVATIONPOLICY=HIGHEST\n")
                .iterate(10);
        assertThat(weir.publishedReservations).isEmpty();

        weir.policy("RESERVATIONPOLICY NEVER\nPARCFG[DEFAULT] RESERVATIONPOLICY=HIGHEST\n")
                .iterate(20);
        assertThat(weir.publishedReservations.keySet()).as("both agree").containsExactly("any");
    }

    @Test
    @Feature("CFG-1")
    void shouldGiveAPartitionWithoutAnEntryWhatDefaultSays() {
        weir.policy("PARCFG[DEFAULT] NODEALLOCATIONPOLICY=FIRSTAVAILABLE\n")
                .node("n1", 1, NodeState.IDLE)
                .node("n2", 1, NodeState.IDLE, node -> node.setFeatures(List.of("x")))
                .submit("j", 1, HOUR)
                .iterate(0);

        assertThat(weir.job("j").getAllocation().get(0).getNodeId()).isEqualTo("n1");
    }

    private void twoPartitions(String policy) {
        weir.policy(policy)
                .node("n1", 1, NodeState.IDLE, node -> node.setPartition("a"))
                .node("n2", 1, NodeState.IDLE, node -> node.setPartition("b"))
                .adopt("R1", 1, HOUR, 0, "n1")
                .adopt("R2", 1, HOUR, 0, "n2");
    }

    private void submit(String id, String partition, String user) {
        weir.submit(id, 1, HOUR, job -> job.setUser(user).setPartitions(List.of(partition)));
    }
}
