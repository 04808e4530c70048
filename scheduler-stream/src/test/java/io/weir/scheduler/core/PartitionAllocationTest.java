package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PARALLOCATIONPOLICY: the partition of a job that names none. Partition a has 8 processors, b has 4, c has 16. */
class PartitionAllocationTest {
    private static final long HOUR = 3600;

    private static SchedulerFixture site(String policy) {
        return new SchedulerFixture()
                .policy(policy)
                .node("a1", 8, NodeState.IDLE, node -> node.setPartition("a"))
                .node("b1", 4, NodeState.IDLE, node -> node.setPartition("b"))
                .node("c1", 16, NodeState.IDLE, node -> node.setPartition("c"));
    }

    @ParameterizedTest
    @CsvSource({
        "FirstStart, 'a1 a1 b1 c1 c1'",
        "BestFit, 'b1 a1 a1 c1 c1'",
        "LoadBalance, 'a1 b1 c1 c1 a1'",
        "RoundRobin, 'a1 b1 c1 a1 c1'"
    })
    void shouldPutJobsOfThreeProcessorsWhereThePolicySays(String policy, String expected) {
        SchedulerFixture weir = site("PARALLOCATIONPOLICY " + policy);

        assertThat(String.join(" ", started(weir, 5, 3))).isEqualTo(expected);
    }

    @Test
    void shouldTakeTheFirstPartitionByDefault() {
        assertThat(started(site(""), 3, 3)).containsExactly("a1", "a1", "b1");
    }

    @Test
    void shouldTakeTurnsOverRestartsToo() {
        SchedulerFixture weir = site("PARALLOCATIONPOLICY ROUNDROBIN").rebuildingAlways();

        assertThat(started(weir, 5, 3)).containsExactly("a1", "b1", "c1", "a1", "c1");
    }

    @Test
    void shouldDrawPartitionsBySeed() {
        String drawn = String.join(" ", started(site("PARALLOCATIONPOLICY RANDOM\nRANDOMSEED 7"), 6, 1));

        assertThat(String.join(" ", started(site("PARALLOCATIONPOLICY RANDOM\nRANDOMSEED 7"), 6, 1)))
                .isEqualTo(drawn);
        assertThat(drawn).contains("a1").contains("b1").contains("c1");
        assertThat(String.join(" ", started(site("PARALLOCATIONPOLICY RANDOM\nRANDOMSEED 8"), 6, 1)))
                .isNotEqualTo(drawn);
    }

    @Test
    void shouldUseTheOnlyPartitionInWhichAJobCanStart() {
        SchedulerFixture weir = site("PARALLOCATIONPOLICY BESTFIT");

        assertThat(started(weir, 1, 12)).containsExactly("c1");
    }

    @Test
    void shouldLeaveAJobInThePartitionItNames() {
        SchedulerFixture weir = site("PARALLOCATIONPOLICY ROUNDROBIN");
        weir.submit("j", 1, HOUR, job -> job.setPartitions(List.of("c"))).iterate(0);

        assertThat(NodeAllocationTest.nodesOf(weir, "j")).containsExactly("c1");
    }

    /** Submits jobs one after the other and returns the node of each. */
    private static List<String> started(SchedulerFixture weir, int jobs, int procs) {
        List<String> nodes = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            weir.submit("j" + i, procs, HOUR).iterate(i);
            nodes.add(
                    weir.started().isEmpty()
                            ? "-"
                            : NodeAllocationTest.nodesOf(weir, "j" + i).get(0));
        }
        return nodes;
    }
}
