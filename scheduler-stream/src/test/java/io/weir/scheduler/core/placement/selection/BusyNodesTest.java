package io.weir.scheduler.core.placement.selection;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.Availability;
import io.weir.scheduler.core.placement.GlobalResources;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes that take nothing for another reason than their jobs are followed by what changes, and are those that a look at all finds. */
class BusyNodesTest {
    private static final int NODES = 6;
    private static final SitePolicy[] POLICIES = {
        SitePolicy.DEFAULT,
        TestCluster.policy("NODEAVAILABILITYPOLICY COMBINED"),
        TestCluster.policy("NODECFG[DEFAULT] MAXLOAD=2.0"),
    };

    private Random random = new Random();
    private int others;

    @Test
    void shouldAgreeWithALookAtAllNodes() {
        for (long seed = 1; seed <= 200; seed++) {
            random = new Random(seed);
            live(seed);
        }
        assertThat(others).as("answers other than none").isGreaterThan(500);
    }

    private void live(long seed) {
        TestCluster cluster = new TestCluster();
        Availability availability = new Availability(cluster.nodes, cluster.jobs, new GlobalResources(cluster.nodes));
        BusyNodes followed = new BusyNodes(cluster.nodes, availability);
        SitePolicy policy = SitePolicy.DEFAULT;
        for (int step = 0; step < 15; step++) {
            for (int change = random.nextInt(3); change > 0; change--) {
                change(cluster, "r" + step + "." + change);
            }
            if (random.nextInt(6) == 0) {
                policy = POLICIES[random.nextInt(POLICIES.length)];
                cluster.nodes.configure(policy);
            }
            List<Job> unmeasured = new ArrayList<>();
            cluster.jobs.active().stream().filter(job -> random.nextBoolean()).forEach(unmeasured::add);
            availability.begin(policy, unmeasured);
            BusyNodes all = new BusyNodes(cluster.nodes, availability);

            followed.follow(policy);
            all.follow(policy);

            assertThat(followed.delayed()).as("seed %d, step %d", seed, step).isEqualTo(all.delayed());
            if (cluster.nodes.position("n1") >= 0) {
                cluster.running("r" + step, 1, "n1", 0, 1_000);
            }
            assertThat(IntStream.range(0, cluster.nodes.size())
                            .filter(followed::contains)
                            .boxed())
                    .as("seed %d, step %d", seed, step)
                    .containsExactlyElementsOf(IntStream.range(0, cluster.nodes.size())
                            .filter(availability::busy)
                            .boxed()
                            .toList());
            others += all.delayed() == 0 ? 0 : 1;
        }
    }

    private void change(TestCluster cluster, String job) {
        String node = "n" + (1 + random.nextInt(NODES));
        if (cluster.nodes.position(node) >= 0 && random.nextInt(3) == 0) {
            cluster.running(job, 1, node, 0, 1_000);
            return;
        }
        NodeState[] states = {NodeState.IDLE, NodeState.BUSY, NodeState.DOWN, NodeState.DRAINED};
        cluster.node(
                node,
                4,
                report -> report.setState(states[random.nextInt(states.length)])
                        .setMemoryMb(100L)
                        .setLoad(random.nextBoolean() ? 6.0 * random.nextDouble() : null)
                        .setAvailableMemoryMb(random.nextInt(4) == 0 ? 0L : null));
    }
}
