package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.timeline.ResourceTimeline;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A plan that is kept and started over is to be what one made from nothing is, whatever happened in between. */
class NodeAvailabilityPlanTest {
    private static final int NODES = 6;
    private static final int PROCS = 4;
    private static final SitePolicy PATIENT =
            TestCluster.policy("NODEDOWNSTATEDELAYTIME 00:10:00", "NODEBUSYSTATEDELAYTIME 00:02:00");

    /** A plan with what it is made of. */
    private static final class Followed {
        final PlanKeyTable planKeys;
        final NodeAvailabilityPlan plan;

        Followed(TestCluster cluster) {
            planKeys = new PlanKeyTable(cluster.nodes, cluster.placement, new NodeSets(cluster.nodes));
            NodeBuckets buckets =
                    new NodeBuckets(cluster.jobs, cluster.nodes, cluster.placement, cluster.access, planKeys);
            plan = new NodeAvailabilityPlan(cluster.jobs, cluster.nodes, cluster.placement, planKeys, buckets);
        }

        Followed reset(long now) {
            planKeys.refresh(PATIENT);
            plan.reset(now, now, PATIENT);
            return this;
        }
    }

    @Test
    void shouldLeaveTimelinesAloneOnWhichNothingHappened() {
        TestCluster cluster = unlike().running("a", 2, "n1", 0, 100).running("b", 1, "n2", 0, 200);
        Followed kept = new Followed(cluster).reset(0);
        cluster.running("c", 1, "n2", 10, 50);

        kept.reset(20);

        assertThat(free(kept, 0, 20, 99, 100)).containsExactly(PROCS - 2, PROCS - 2, PROCS);
        assertThat(free(kept, 1, 20, 59, 60, 200)).containsExactly(PROCS - 1, PROCS - 1, PROCS, PROCS + 1);
        assertThat(kept.plan.base()).isZero();
        assertThat(kept.plan.start()).isEqualTo(20);
    }

    @Test
    void shouldGoOnForNoLongerThanItsInstantsCount() {
        Followed kept = new Followed(unlike()).reset(0);

        assertThat(kept.plan.outgrown(365 * 86_400)).isFalse();
        assertThat(kept.plan.outgrown(ResourceTimeline.NEVER)).isTrue();
        assertThat(kept.plan.outgrown(3L * Integer.MAX_VALUE)).isTrue();
    }

    @Test
    void shouldForgetSlotsOfTheLastPass() {
        TestCluster cluster = unlike();
        Job waiting = cluster.waiting("w", 2, 50);
        Followed kept = new Followed(cluster).reset(0);
        kept.plan.take(slot(kept, waiting, 5, 2));

        assertThat(free(kept.reset(6), 2, 6, 10, 55)).containsExactly(PROCS + 2, PROCS + 2, PROCS + 2);
    }

    @Test
    void shouldMoveTheEndOfAJobThatIsOverItsLimitOnWithTime() {
        TestCluster cluster = unlike().running("a", 1, "n1", 0, 100);
        Followed kept = new Followed(cluster).reset(50);

        assertThat(free(kept.reset(100), 0, 100, 101)).containsExactly(PROCS - 1, PROCS);
        assertThat(free(kept.reset(140), 0, 140, 141)).containsExactly(PROCS - 1, PROCS);
    }

    @Test
    void shouldHearOfAnotherEndOfAJobThatHoldsWhatItHeld() {
        TestCluster cluster = unlike().running("a", 1, "n1", 0, 100);
        Job longer = new TestCluster()
                .nodes(1, PROCS)
                .running("a", 1, "n1", 0, 300)
                .jobs
                .get("a");
        Followed kept = new Followed(cluster).reset(0);
        cluster.jobs.put(longer);
        cluster.nodes.reconsider(longer.shares());

        assertThat(free(kept.reset(10), 0, 100, 299, 300)).containsExactly(PROCS - 1, PROCS - 1, PROCS);
    }

    @Test
    void shouldKeepANodeThatIsAwaitedForTheSameTimeAheadOfNow() {
        TestCluster cluster = unlike();
        cluster.nodes.configure(PATIENT);
        report(cluster, 0, NodeState.DOWN);
        Followed kept = new Followed(cluster).reset(0);

        assertThat(free(kept.reset(100), 0, 100, 600, 699, 700)).containsExactly(0, 0, 0, PROCS);
    }

    @Test
    void shouldCountFromNowAgainWhenTheBaseIsLongPast() {
        TestCluster cluster = unlike().running("a", 1, "n1", 0, 1_000_000);
        Followed kept = new Followed(cluster).reset(0);

        kept.reset(86_399);
        assertThat(kept.plan.base()).isZero();
        kept.reset(86_400);
        assertThat(kept.plan.base()).isEqualTo(86_400);
        assertThat(free(kept, 0, 999_999, 1_000_000)).containsExactly(PROCS - 1, PROCS);
    }

    @Test
    void shouldBeWhatAPlanMadeFromNothingIs() {
        for (long seed = 1; seed <= 300; seed++) {
            live(new Random(seed), seed % 3 == 0 ? new TestCluster().nodes(NODES, PROCS) : unlike(), "seed " + seed);
        }
    }

    private static void live(Random random, TestCluster cluster, String life) {
        Job probe = cluster.waiting("probe", 3, 100);
        cluster.nodes.configure(PATIENT);
        Followed kept = new Followed(cluster);
        List<String> running = new ArrayList<>();
        long now = random.nextInt(1000);
        for (int step = 0; step < 40; step++) {
            for (int i = random.nextInt(4); i > 0; i--) {
                happen(random, cluster, running, now, step * 10 + i);
            }
            now += random.nextInt(8) == 0 ? random.nextInt(100_000) : random.nextInt(60);
            kept.reset(now);
            forgetMarks(cluster);
            assertSame(kept.plan, new Followed(cluster).reset(now).plan, cluster, life + " step " + step);
            forgetMarks(cluster);
            for (int i = random.nextInt(3); i > 0; i--) {
                Slot slot = slot(kept, probe, now + random.nextInt(3) * 40L, random.nextInt(NODES));
                kept.plan.take(slot);
                if (random.nextInt(3) == 0) {
                    kept.plan.giveBack(slot);
                }
            }
        }
    }

    /** Makes the jobs forget what one plan noted on them, so that another may look at them. */
    private static void forgetMarks(TestCluster cluster) {
        cluster.jobs.all().forEach(job -> job.planMark(0));
    }

    private static void happen(Random random, TestCluster cluster, List<String> running, long now, int number) {
        int position = random.nextInt(cluster.nodes.size());
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                String id = "job" + number;
                cluster.running(id, 1 + random.nextInt(2), id(cluster, position), now, 1 + random.nextInt(300));
                running.add(id);
            }
            case 2, 3 -> {
                if (!running.isEmpty()) {
                    Job job = cluster.jobs.get(running.remove(random.nextInt(running.size())));
                    cluster.jobs.put(job.edit()
                            .finished(JobState.COMPLETED, now, 0, null)
                            .done());
                    cluster.nodes.release(job.id(), job.shares());
                }
            }
            case 4 ->
                report(
                        cluster,
                        position,
                        List.of(NodeState.IDLE, NodeState.BUSY, NodeState.DOWN, NodeState.DRAINED)
                                .get(random.nextInt(4)));
            default -> {
                if (random.nextInt(4) == 0) {
                    cluster.node("late" + number, 1 + random.nextInt(PROCS), 0, Node.DEFAULT_PARTITION);
                } else if (random.nextInt(4) == 0 && cluster.nodes.size() > NODES) {
                    cluster.nodes.remove(id(cluster, cluster.nodes.size() - 1));
                }
            }
        }
    }

    private static void assertSame(
            NodeAvailabilityPlan kept, NodeAvailabilityPlan made, TestCluster cluster, String when) {
        assertThat(kept.open()).as(when).isEqualTo(made.open());
        assertThat(kept.now()).as(when).isEqualTo(made.now());
        for (int position = 0; position < cluster.nodes.size(); position++) {
            String where = when + " node " + position;
            assertThat(kept.buckets().leader(position))
                    .as(where)
                    .isEqualTo(made.buckets().leader(position));
            ResourceTimeline line = kept.lines().at(position);
            ResourceTimeline other = made.lines().at(position);
            assertThat(line.takesOne()).as(where).isEqualTo(other.takesOne());
            int instant = made.offset();
            while (instant != ResourceTimeline.NEVER) {
                long at = made.base() + instant;
                for (int r = 0; r <= NodeResources.PRESENCE; r++) {
                    assertThat(line.free(r, kept.instant(at)))
                            .as("%s resource %d at %d", where, r, at)
                            .isEqualTo(other.free(r, instant));
                }
                assertThat(kept.readyProcs(position, kept.instant(at)))
                        .as("%s ready at %d", where, at)
                        .isEqualTo(made.readyProcs(position, instant));
                int next = line.nextStep(kept.instant(at));
                instant = other.nextStep(instant);
                assertThat(next)
                        .as("%s step after %d", where, at)
                        .isEqualTo(
                                instant == ResourceTimeline.NEVER
                                        ? ResourceTimeline.NEVER
                                        : kept.instant(made.base() + instant));
            }
        }
    }

    private static List<Integer> free(Followed plan, int position, long... instants) {
        List<Integer> free = new ArrayList<>();
        for (long instant : instants) {
            free.add(plan.plan.lines().at(position).free(NodeResources.PROCS, plan.plan.instant(instant)));
        }
        return free;
    }

    private static Slot slot(Followed plan, Job job, long start, int position) {
        return new Slot(start, 50, 2, List.of(new TaskShare(position, 0, 2)), plan.planKeys.of(job));
    }

    /** Nodes that are told apart by how many processors they have. */
    private static TestCluster unlike() {
        TestCluster cluster = new TestCluster();
        for (int i = 1; i <= NODES; i++) {
            cluster.node("n" + i, PROCS + i - 1, 0, Node.DEFAULT_PARTITION);
        }
        cluster.waiting("wide", null, 100, Requirement.ofProcs(2, 3));
        return cluster;
    }

    private static String id(TestCluster cluster, int position) {
        return cluster.nodes.at(position).id();
    }

    private static void report(TestCluster cluster, int position, NodeState state) {
        Node node = cluster.nodes.at(position).node();
        NodeReport report = NodeReport.newBuilder()
                .setCluster("c")
                .setNodeId(node.id())
                .setState(state)
                .setProcs(node.procs())
                .setMemoryMb(0L)
                .setPartition(Node.DEFAULT_PARTITION)
                .build();
        cluster.nodes.put(Node.reported(report, "rm", 1, node, node.index(), 0));
    }
}
