package io.weir.scheduler.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.NameCount;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What nodes have in common is followed as they change, and is what a count of all of them says. */
class NodeStatisticsTest {
    private static final SitePolicy[] POLICIES = {
        SitePolicy.DEFAULT,
        TestCluster.policy("NODEAVAILABILITYPOLICY UTILIZED"),
        TestCluster.policy("NODECFG[DEFAULT] MAXLOAD=4.0", "NODECFG[n3] ACCESS=SINGLEJOB"),
    };

    private final Map<String, Node> known = new TreeMap<>();
    private final NodeTable followed = new NodeTable();
    private SitePolicy policy = SitePolicy.DEFAULT;
    private Random random = new Random();

    @Test
    void shouldAgreeWithACountOfAllNodes() {
        for (long seed = 1; seed <= 200; seed++) {
            random = new Random(seed);
            for (int step = 0; step < 15; step++) {
                change();
                NodeStatistics statistics = followed.statistics();
                NodeStatistics counted = counted();

                assertThat(List.of(
                                statistics.divided(),
                                statistics.interchangeable(),
                                statistics.measuring(),
                                statistics.overpacking(),
                                statistics.loadLimited(),
                                statistics.refusing(),
                                statistics.judged()))
                        .as("seed %d, step %d", seed, step)
                        .containsExactly(
                                counted.divided(),
                                counted.interchangeable(),
                                counted.measuring(),
                                counted.overpacking(),
                                counted.loadLimited(),
                                counted.refusing(),
                                counted.judged());
            }
        }
    }

    private void change() {
        String id = "n" + (1 + random.nextInt(5));
        switch (random.nextInt(12)) {
            case 0 -> {
                policy = POLICIES[random.nextInt(POLICIES.length)];
                followed.configure(policy);
            }
            case 1 -> {
                known.remove(id);
                followed.remove(id);
            }
            default -> {
                Node node = Node.reported(report(id), "rm", 1, null, known.size() + 1, 0);
                known.put(id, node);
                followed.put(node);
            }
        }
    }

    private NodeReport report(String id) {
        NodeState[] states = {NodeState.IDLE, NodeState.IDLE, NodeState.BUSY, NodeState.DOWN, NodeState.DRAINED};
        return NodeReport.newBuilder()
                .setCluster("c")
                .setNodeId(id)
                .setState(states[random.nextInt(states.length)])
                .setProcs(1 + random.nextInt(4))
                .setMemoryMb(100L)
                .setPartition(random.nextInt(8) == 0 ? "other" : Node.DEFAULT_PARTITION)
                .setLoad(random.nextBoolean() ? 6.0 * random.nextDouble() : null)
                .setAvailableMemoryMb(random.nextInt(4) == 0 ? 50L : null)
                .setClasses(random.nextInt(8) == 0 ? List.of(new NameCount("batch", 2L)) : List.of())
                .build();
    }

    private NodeStatistics counted() {
        NodeTable fresh = new NodeTable();
        fresh.configure(policy);
        known.values().forEach(fresh::put);
        return fresh.statistics();
    }
}
