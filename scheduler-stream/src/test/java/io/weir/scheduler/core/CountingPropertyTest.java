package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.state.Change;
import io.weir.schemas.CommandKind;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Counting processors starts and promises what following every node does, under any policy and for jobs of any extension: a
 * rule that tells nodes apart rules counting out. Each state of random lives is decided in both ways. Two decisions do not
 * depend on how later reservations happen to lie on nodes, and have to be equal: which jobs start when nothing is reserved,
 * and the one reservation where one is made. A failure names its seed. {@code -Dweir.counting.lives=15000} lives so many.
 */
class CountingPropertyTest {
    private static final int LIVES = Integer.getInteger("weir.counting.lives", 400);
    private static final int STEPS = 15;

    private Random random = new Random();
    private int promised;

    @Test
    void shouldDecideTheSameWhetherProcessorsAreCountedOrNodesFollowed() {
        for (long seed = 1; seed <= LIVES; seed++) {
            random = new Random(seed);
            live(seed);
        }
        assertThat(promised).as("states with a reservation").isGreaterThan(LIVES);
    }

    private void live(long seed) {
        SchedulerFixture weir = new SchedulerFixture();
        boolean reserving = random.nextBoolean();
        String policy = policy()
                + (reserving ? "RESERVATIONPOLICY CURRENTHIGHEST\nRESERVATIONDEPTH 1" : "RESERVATIONPOLICY NEVER");
        weir.policy(policy);
        List<NodeReport> nodes = nodes();
        nodes.forEach(weir::fact);
        String extension = random.nextInt(3) == 0 ? one(OddInputs.EXTENSIONS) : null;
        Map<String, Long> ends = new TreeMap<>();
        long now = 0;
        int jobs = 0;
        for (int step = 0; step < STEPS; step++) {
            now += 1 + random.nextInt(60);
            end(weir, ends, now);
            for (int i = random.nextInt(4); i > 0; i--) {
                submit(weir, "j" + (100 + jobs++), random.nextBoolean() ? extension : null, now);
            }
            if (random.nextInt(5) == 0) {
                NodeState state = one(List.of(NodeState.DOWN, NodeState.DRAINED, NodeState.BUSY, NodeState.IDLE));
                weir.fact(NodeReport.newBuilder(one(nodes)).setState(state).build());
            }
            compare(
                    weir.snapshot(),
                    now,
                    reserving,
                    "seed " + seed + ", " + now + " s, " + policy.replace('\n', ';') + ", extension " + extension);
            weir.iterate(now);
            for (String id : weir.started()) {
                if (weir.job(id).getState() == JobState.RUNNING) {
                    long limit = Math.min(weir.job(id).getWalltimeSeconds(), 200);
                    ends.put(id, now + 1 + random.nextInt((int) limit));
                }
            }
        }
    }

    private void compare(List<Change> state, long now, boolean reserving, String what) {
        ClusterScheduler counting = rebuilt(state);
        ClusterScheduler following = rebuilt(state);
        following.followNodes();
        IterationResult counted = counting.iterate(SchedulerFixture.at(now), IterationTrigger.HEARTBEAT, null);
        IterationResult followed = following.iterate(SchedulerFixture.at(now), IterationTrigger.HEARTBEAT, null);
        if (reserving) {
            assertThat(reserved(counting)).as("reserved, " + what).isEqualTo(reserved(following));
            promised += reserved(counting).size();
        } else {
            assertThat(started(counted)).as("started, " + what).isEqualTo(started(followed));
        }
    }

    private static ClusterScheduler rebuilt(List<Change> state) {
        ClusterScheduler scheduler = new ClusterScheduler(SchedulerFixture.CLUSTER);
        state.forEach(scheduler::replay);
        return scheduler;
    }

    private static TreeSet<String> started(IterationResult result) {
        TreeSet<String> started = new TreeSet<>();
        for (Output output : result.outputs()) {
            if (output.value() instanceof RmCommand command && command.getKind() == CommandKind.START_JOB) {
                started.add(command.getJobId());
            }
        }
        return started;
    }

    private static Map<String, Instant> reserved(ClusterScheduler scheduler) {
        Map<String, Instant> reserved = new TreeMap<>();
        for (Change change : scheduler.snapshot()) {
            if (change.value() instanceof ReservationStatus status && status.getType() == ReservationType.PRIORITY) {
                reserved.put(change.id(), status.getStart());
            }
        }
        return reserved;
    }

    private static void end(SchedulerFixture weir, Map<String, Long> ends, long now) {
        List<String> over = ends.entrySet().stream()
                .filter(end -> end.getValue() <= now)
                .map(Map.Entry::getKey)
                .toList();
        over.forEach(id -> {
            ends.remove(id);
            weir.end(id, now);
        });
    }

    private void submit(SchedulerFixture weir, String id, String extension, long now) {
        int tasks = 1 + random.nextInt(12);
        long limit = 1 + random.nextInt(200);
        weir.submit(id, tasks, limit, job -> job.setExtension(extension).setSubmitTime(SchedulerFixture.at(now)));
    }

    private String policy() {
        StringBuilder text = new StringBuilder();
        for (List<String> choice : OddInputs.CHOICES) {
            if (random.nextInt(6) == 0) {
                text.append(one(choice)).append('\n');
            }
        }
        return text.toString();
    }

    /** Nodes that differ in size at most, and now and then in what is measured; some indexes are missing. */
    private List<NodeReport> nodes() {
        int procs = random.nextInt(3);
        boolean loaded = random.nextInt(4) == 0;
        List<NodeReport> nodes = new ArrayList<>();
        int index = 0;
        for (int i = 1 + random.nextInt(6); i >= 0; i--) {
            index += random.nextInt(4) == 0 ? 2 : 1;
            nodes.add(NodeReport.newBuilder()
                    .setCluster(SchedulerFixture.CLUSTER)
                    .setNodeId("n" + nodes.size())
                    .setState(NodeState.IDLE)
                    .setProcs(procs == 0 ? 1 + random.nextInt(4) : 2 * procs)
                    .setIndex(index)
                    .setLoad(loaded ? random.nextDouble() * 4 : null)
                    .build());
        }
        return nodes;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
