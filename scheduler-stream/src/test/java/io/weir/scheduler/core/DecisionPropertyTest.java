package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.output.Output;
import io.weir.scheduler.core.state.Change;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobNodeFailure;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lives of a small cluster; what must hold whatever happens. A failure names its seed. {@code
 * -Dweir.decision.rounds=400} lives so many for each policy.
 */
class DecisionPropertyTest {
    private static final int NODES = 5;
    private static final int PROCS = 4;
    private static final int ROUNDS = Integer.getInteger("weir.decision.rounds", 12);
    private static final int STEPS = 60;

    private static final List<String> POLICIES = List.of(
            "",
            "RESERVATIONDEPTH 3",
            "RESERVATIONDEPTH INFINITY",
            "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 2",
            "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH INFINITY",
            "RESERVATIONPOLICY NEVER",
            "BACKFILLPOLICY NONE",
            "NODEALLOCATIONPOLICY FIRSTAVAILABLE",
            "RESERVATIONDEPTH 3\nCLASSCFG[other] PRIORITY=1",
            "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH INFINITY\nCLASSCFG[other] PRIORITY=1",
            "RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1",
            "RESERVATIONDEPTH 5\nRESERVATIONSLICE 2\nCLASSCFG[other] PRIORITY=1",
            "RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 3\nXFACTORWEIGHT 10\nBFCHUNKDURATION 30\nBFCHUNKSIZE 4",
            "RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 2\nQOSCFG[strict] QFLAGS=NOBF",
            "RESERVATIONSLICE 1\nQOSCFG[strict] QFLAGS=NOBF\nNODEALLOCATIONPOLICY MINRESOURCE");

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})
    void shouldDecideTheSameAfterARebuildAndWithoutAKeptPlan(int policy) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            List<Output> plain = live(new SchedulerFixture(), policy, seed).outputs;
            List<Output> rebuilt = live(new SchedulerFixture().rebuildingAlways(), policy, seed).outputs;
            List<Output> complete = live(new SchedulerFixture().forgettingThePlanAlways(), policy, seed).outputs;

            assertThat(rebuilt)
                    .as("rebuilt before every input, policy %d seed %d", policy, seed)
                    .isEqualTo(plain);
            assertThat(complete)
                    .as("every pass complete, policy %d seed %d", policy, seed)
                    .isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})
    void shouldRebuildTheWholeStateFromItsSnapshot(int policy) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            List<Change> snapshot = live(new SchedulerFixture(), policy, seed).snapshot();
            ClusterScheduler rebuilt = new ClusterScheduler(SchedulerFixture.CLUSTER);
            List<Change> shuffled = new ArrayList<>(snapshot);
            java.util.Collections.shuffle(shuffled, new Random(seed));
            shuffled.forEach(rebuilt::replay);

            assertThat(rebuilt.snapshot()).as("policy %d seed %d", policy, seed).isEqualTo(snapshot);
        }
    }

    private SchedulerFixture live(SchedulerFixture weir, int policy, long seed) {
        Random random = new Random(seed);
        weir.policy(POLICIES.get(policy)).nodes(NODES, PROCS);
        int wide = seed % 2 == 0 ? 4 : 40;
        List<String> ids = new ArrayList<>();
        long now = 0;
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(20);
            for (String id : List.copyOf(ids)) {
                if (weir.knows(id)) {
                    disturb(weir, weir.job(id), now, random);
                }
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                String id = "j" + ids.size();
                ids.add(id);
                String qos = ids.size() % 3 == 0 ? "strict" : null;
                int procsPerTask = 1 + random.nextInt(random.nextInt(wide) == 0 ? PROCS : 1);
                long submitted = now;
                String extension = seed % 3 == 0 && random.nextInt(3) == 0 ? "deadline=+" + random.nextInt(500) : null;
                List<TaskRequirement> parts =
                        seed % 5 == 0 && random.nextInt(3) == 0 ? parts(random, procsPerTask) : List.of();
                weir.submit(
                        id,
                        1 + random.nextInt(NODES * PROCS / procsPerTask),
                        1 + random.nextInt(100),
                        report -> report.setProcsPerTask(procsPerTask)
                                .setRequirements(parts)
                                .setExtension(extension)
                                .setQos(qos)
                                .setSubmitTime(SchedulerFixture.at(submitted)));
            }
            if (random.nextInt(12) == 0) {
                NodeState[] states = {NodeState.DOWN, NodeState.IDLE, NodeState.DRAINED, NodeState.BUSY, NodeState.IDLE
                };
                weir.node("n" + (1 + random.nextInt(NODES)), PROCS, states[random.nextInt(states.length)]);
            }
            weir.iterateSilently(now);
            checkNothingOvercommitted(weir, ids, seed, step);
            for (String id : ids) {
                if (weir.knows(id)) {
                    Requirements.checkApart(
                            "seed " + seed + " step " + step,
                            weir.job(id),
                            weir.job(id).getPlacements());
                }
            }
            for (RmCommand command : weir.lastCommands()) {
                String id = command.getJobId();
                if (id != null && random.nextInt(5) > 0) {
                    boolean refuse = random.nextInt(6) == 0 && command.getKind() == CommandKind.START_JOB;
                    weir.answer(id, refuse ? CommandOutcome.REFUSED : CommandOutcome.DONE, now);
                    if (!refuse && command.getKind() == CommandKind.CANCEL_JOB) {
                        weir.end(id, now);
                    }
                }
            }
        }
        return weir;
    }

    /** Two or three requirements of a job, some on nodes of their own or apart from the others. */
    private static List<TaskRequirement> parts(Random random, int procsPerTask) {
        List<TaskRequirement> parts = new ArrayList<>();
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            parts.add(TaskRequirement.newBuilder()
                    .setTasks(1 + random.nextInt(3))
                    .setProcsPerTask(procsPerTask)
                    .setHosts(random.nextInt(4) == 0 ? List.of("n1", "n2") : List.of())
                    .setExcludedHosts(random.nextInt(4) == 0 ? List.of("n3") : List.of())
                    .setApart(random.nextBoolean())
                    .build());
        }
        return parts;
    }

    private static void disturb(SchedulerFixture weir, JobStatus job, long now, Random random) {
        String id = job.getJobId();
        if (job.getState() == JobState.RUNNING && random.nextInt(4) == 0) {
            weir.end(id, now);
        } else if (job.getState() == JobState.STARTING && random.nextInt(3) == 0) {
            weir.answer(id, CommandOutcome.DONE, now);
        } else if (job.getState() == JobState.IDLE && random.nextInt(15) == 0) {
            weir.request("q" + now, random.nextBoolean() ? RequestKind.HOLD_JOB : RequestKind.RELEASE_JOB, id);
        } else if (job.getState() == JobState.IDLE && random.nextInt(30) == 0) {
            weir.report(id, JobState.CANCELLED, Long.MAX_VALUE);
        } else if (job.getState() == JobState.RUNNING && random.nextInt(40) == 0) {
            weir.report(id, JobState.IDLE, Long.MAX_VALUE);
        }
    }

    /** A job that is cancelled because a node of it failed has given up the others. */
    private static boolean leaves(JobStatus job, String node) {
        List<JobNodeFailure> failures = job.getFailedNodes();
        return failures.stream().anyMatch(failure -> "CANCEL".equals(failure.getAction()))
                && failures.stream().noneMatch(failure -> failure.getNodeId().equals(node));
    }

    private static void checkNothingOvercommitted(SchedulerFixture weir, List<String> ids, long seed, int step) {
        Map<String, Integer> used = new TreeMap<>();
        for (String id : ids) {
            if (weir.knows(id)) {
                JobStatus job = weir.job(id);
                for (NodeAllocation share : job.getAllocation()) {
                    if (leaves(job, share.getNodeId())) {
                        continue;
                    }
                    used.merge(share.getNodeId(), share.getProcs(), Integer::sum);
                }
            }
        }
        assertThat(used.values()).as("seed %d step %d: %s", seed, step, used).allMatch(procs -> procs <= PROCS);
    }
}
