package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** 10 licences float over the cluster; n2 has 5 of its own. */
class GlobalResourcesTest {
    private final TestCluster cluster = new TestCluster()
            .node("n1", 8, node -> {})
            .node("n2", 8, node -> node.setGres(List.of(new NameCount("licence", 5L))))
            .node(
                    EffectiveNode.GLOBAL,
                    1,
                    node -> node.setState(NodeState.IDLE).setGres(List.of(new NameCount("licence", 10L))));
    private final GlobalResources global = new GlobalResources(cluster.nodes);

    @Test
    void shouldKnowWhatThereIs() {
        assertThat(global.configured("licence")).isEqualTo(10);
        assertThat(global.configured("tape")).isZero();
        assertThat(global.free("licence")).isEqualTo(10);
    }

    @Test
    void shouldCountWhatActiveJobsHold() {
        global.reset(List.of(holding("a", 3, 100, "n1"), holding("b", 2, 200, "n1")));

        assertThat(global.free("licence")).isEqualTo(5);
        global.hold(holding("c", 4, 200, "n1"));
        assertThat(global.free("licence")).isEqualTo(1);
    }

    @Test
    void shouldNotCountWhatAJobHoldsOfItsNode() {
        global.reset(List.of(holding("a", 3, 100, "n2")));

        assertThat(global.free("licence")).isEqualTo(10);
    }

    @Test
    void shouldCountWhatAJobHoldsOnANodeThatIsGone() {
        global.reset(List.of(holding("a", 3, 100, "n9")));

        assertThat(global.free("licence")).isEqualTo(7);
    }

    @Test
    void shouldHaveNoLessThanNothing() {
        global.reset(List.of(holding("a", 11, 100, "n1")));

        assertThat(global.free("licence")).isZero();
    }

    @Test
    void shouldForgetWhatWasHeldBefore() {
        global.reset(List.of(holding("a", 3, 100, "n1")));
        global.reset(List.of());

        assertThat(global.free("licence")).isEqualTo(10);
    }

    @Test
    void shouldHaveNothingWithoutANodeOfFloatingResources() {
        GlobalResources none = new GlobalResources(new TestCluster().nodes(1, 1).nodes);
        none.reset(List.of(holding("a", 3, 100, "n1")));

        assertThat(none.configured("licence")).isZero();
        assertThat(none.free("licence")).isZero();
    }

    private static Job holding(String id, long licences, long seconds, String node) {
        TaskResources task = new TaskResources(1, 0, 0, 0, new TreeMap<>(Map.of("licence", licences, "other", 1L)));
        return TestJob.running(
                id,
                0,
                report -> report.setWalltimeSeconds(seconds)
                        .setRequirements(
                                List.of(new Requirement(1, task, NodeDemands.NONE, null, null, false).toRecord())),
                new NodeAllocation(node, 1));
    }
}
