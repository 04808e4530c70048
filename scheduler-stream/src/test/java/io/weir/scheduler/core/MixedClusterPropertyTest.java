package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.output.Output;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.ReservationStatus;
import io.weir.schemas.ReservationType;
import io.weir.schemas.TaskPlacement;
import io.weir.schemas.TaskRequirement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lives of small clusters of unlike nodes under requests for memory, features and tasks of several processors.
 * Jobs end at or before their limits and nodes stay up, so that every promise can be kept. A failure names its seed. {@code
 * -Dweir.mixed.rounds=400} lives so many for each policy.
 */
class MixedClusterPropertyTest {
    private static final int ROUNDS = Integer.getInteger("weir.mixed.rounds", 20);
    private static final int MOST_AT_ONCE = 1_000;
    private static final int STEPS = 40;

    private static final List<String> POLICIES = List.of(
            "",
            "RESERVATIONDEPTH 3",
            "RESERVATIONDEPTH INFINITY",
            "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 2",
            "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH INFINITY",
            "RESERVATIONPOLICY NEVER",
            "BACKFILLPOLICY BESTFIT",
            "BACKFILLPOLICY GREEDY\nBACKFILLMETRIC PESECONDS",
            "BACKFILLPOLICY NONE",
            "RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 2",
            "RESERVATIONDEPTH 4\nRESERVATIONSLICE 1");

    /** What a node has. */
    private record Machine(String id, int procs, long memory, List<String> features) {}

    private final Map<String, Machine> machines = new TreeMap<>();
    private final Map<String, Long> promised = new TreeMap<>();
    private final List<String> ids = new ArrayList<>();
    private SchedulerFixture weir = new SchedulerFixture();

    /** Whether some jobs of this life have deadlines. */
    private boolean dueSome;

    /** Whether some jobs of this life name nodes, to use or to leave out. */
    private boolean naming;

    /** Whether some jobs of this life have nodes that they have to use, besides any others. */
    private boolean requiring;

    /** Whether the nodes of this life are alike and its tasks divide them evenly. */
    private boolean alike;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    @Feature("ALLOC-5")
    void shouldKeepWhatItPromises(int policy) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            live(new SchedulerFixture(), policy, seed, true);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldDecideTheSameAfterARebuildAndWithoutAKeptPlan(int policy) {
        for (long seed = 1; seed <= ROUNDS / 4; seed++) {
            List<Output> plain = live(new SchedulerFixture(), policy, seed, false);

            assertThat(live(new SchedulerFixture().rebuildingAlways(), policy, seed, false))
                    .as("rebuilt before every input, policy %d seed %d", policy, seed)
                    .isEqualTo(plain);
            assertThat(live(new SchedulerFixture().forgettingThePlanAlways(), policy, seed, false))
                    .as("every pass complete, policy %d seed %d", policy, seed)
                    .isEqualTo(plain);
        }
    }

    private List<Output> live(SchedulerFixture fixture, int policy, long seed, boolean checking) {
        Random random = new Random(seed);
        weir = fixture;
        machines.clear();
        promised.clear();
        ids.clear();
        weir.policy(POLICIES.get(policy));
        int nodes = 2 + random.nextInt(5);
        alike = seed % 4 == 0;
        dueSome = seed % 3 == 0;
        naming = seed % 5 == 0;
        requiring = seed % 5 == 1 || seed % 5 == 3;
        for (int i = 0; i < nodes; i++) {
            Machine first = machines.get("n0");
            Machine machine = alike && first != null
                    ? new Machine("n" + i, first.procs(), first.memory(), first.features())
                    : new Machine(
                            "n" + i,
                            1 << random.nextInt(4),
                            1000L * (1 + random.nextInt(8)),
                            random.nextBoolean() ? List.of("fast") : List.of("big", "slow"));
            machines.put(machine.id(), machine);
            weir.node(
                    machine.id(),
                    machine.procs(),
                    NodeState.IDLE,
                    report -> report.setMemoryMb(machine.memory()).setFeatures(machine.features()));
        }
        Random disturbances = new Random(-seed);
        long now = 0;
        Map<String, Long> ends = new LinkedHashMap<>();
        for (int step = 0; step < STEPS; step++) {
            now = nextInstant(now, now + random.nextInt(25));
            for (Map.Entry<String, Long> end : List.copyOf(ends.entrySet())) {
                JobStatus job = weir.job(end.getKey());
                if (job.getState() == JobState.RUNNING && start(job) + end.getValue() <= now) {
                    weir.end(end.getKey(), start(job) + end.getValue());
                    ends.remove(end.getKey());
                }
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                String id = "j" + (1000 + ids.size());
                long walltime = 1 + random.nextInt(80);
                submit(id, walltime, now, random);
                ends.put(id, random.nextInt(3) == 0 ? walltime : 1 + random.nextInt((int) walltime));
                ids.add(id);
            }
            if (!checking) {
                disturb(disturbances, ends.keySet());
            }
            weir.iterate(now);
            for (int i = 0; checking && weir.lastResult != null && isUnfinished(weir.lastResult, now); i++) {
                assertThat(i)
                        .as("iterations at once, policy %d seed %d step %d", policy, seed, step)
                        .isLessThan(MOST_AT_ONCE);
                weir.iterate(now);
            }
            if (checking) {
                String what = "policy " + policy + " seed " + seed + " step " + step + " at " + now;
                checkOverTime(what, now);
                checkPromises(what, policy, now);
                checkWorkConservation(what, policy);
            }
        }
        return weir.outputs;
    }

    /** Returns whether the scheduler wants to run again at once. */
    private static boolean isUnfinished(IterationResult last, long now) {
        Instant wake = last.nextWake();
        return wake != null && wake.getEpochSecond() - SchedulerFixture.T0 <= now;
    }

    /** Now and then a job gets another limit while it runs, or a node takes no more jobs for a while. */
    private void disturb(Random random, Collection<String> unfinished) {
        if (random.nextInt(3) == 0) {
            for (String id : unfinished) {
                JobStatus job = weir.job(id);
                if (job.getState() == JobState.RUNNING && random.nextInt(3) == 0) {
                    weir.limit(id, job.getWalltimeSeconds() + random.nextInt(60));
                }
            }
        }
        if (random.nextInt(4) == 0) {
            Machine machine = List.copyOf(machines.values()).get(random.nextInt(machines.size()));
            NodeState state =
                    List.of(NodeState.IDLE, NodeState.BUSY, NodeState.DRAINED).get(random.nextInt(3));
            weir.node(
                    machine.id(),
                    machine.procs(),
                    state,
                    report -> report.setMemoryMb(machine.memory()).setFeatures(machine.features()));
        }
    }

    /** Goes to {@code wanted}, but not past an instant at which the scheduler wants to run. */
    private long nextInstant(long now, long wanted) {
        IterationResult last = weir.lastResult;
        Instant wake = last == null ? null : last.nextWake();
        return wake == null ? wanted : Math.max(now, Math.min(wanted, wake.getEpochSecond() - SchedulerFixture.T0));
    }

    private void submit(String id, long walltime, long now, Random random) {
        Machine like = List.copyOf(machines.values()).get(random.nextInt(machines.size()));
        int procs = alike ? 1 : 1 + random.nextInt(like.procs());
        int most = (int) like.memory() / (alike ? like.procs() : 1);
        long memory = random.nextBoolean() ? 0 : 1 + random.nextInt(most);
        List<String> features = random.nextInt(3) == 0 ? like.features() : List.of();
        String other = "n" + (naming ? random.nextInt(machines.size()) : 0);
        TaskRequirement one = TaskRequirement.newBuilder()
                .setTasks(1)
                .setFeatures(features)
                .setHosts(naming && random.nextInt(4) == 0 ? List.of(other, like.id()) : List.of())
                .setExcludedHosts(
                        naming && random.nextInt(4) == 0 && !other.equals(like.id()) ? List.of(other) : List.of())
                .build();
        long room = machines.values().stream()
                .filter(m -> mayUse(m, one))
                .mapToLong(m -> Math.min(m.procs() / procs, memory == 0 ? 99 : m.memory() / memory))
                .sum();
        int tasks = 1 + random.nextInt((int) Math.min(room, 6));
        String extension = dueSome && random.nextInt(3) == 0 ? "deadline=+" + random.nextInt(400) : null;
        TreeSet<String> required = new TreeSet<>();
        for (int i = requiring ? random.nextInt(3) : 0; i > 0; i--) {
            required.add("n" + random.nextInt(machines.size()));
        }
        TaskRequirement requirement = TaskRequirement.newBuilder(one)
                .setRequiredHosts(List.copyOf(required))
                .setTasks(tasks)
                .setProcsPerTask(procs)
                .setMemoryMb(memory)
                .build();
        weir.submit(
                id,
                tasks,
                walltime,
                report -> report.setProcsPerTask(procs)
                        .setRequirements(List.of(requirement))
                        .setExtension(extension)
                        .setSubmitTime(SchedulerFixture.at(now)));
    }

    /** No node gives more than it has of anything, now or at any time that is planned. */
    private void checkOverTime(String what, long now) {
        List<long[]> uses = new ArrayList<>();
        List<String> names = List.copyOf(machines.keySet());
        for (String id : ids) {
            if (weir.knows(id)) {
                JobStatus job = weir.job(id);
                if (!job.getAllocation().isEmpty()
                        && (job.getState() == JobState.RUNNING || job.getState() == JobState.STARTING)) {
                    assertThat(job.getAllocation())
                            .as("%s: %s", what, id)
                            .extracting(NodeAllocation::getNodeId)
                            .containsAll(job.getRequirements().get(0).getRequiredHosts());
                    long end = Math.max(start(job) + job.getWalltimeSeconds(), now + 1);
                    for (NodeAllocation share : job.getAllocation()) {
                        int tasks = share.getProcs() / job.getProcsPerTask();
                        uses.add(new long[] {
                            names.indexOf(share.getNodeId()), now, end, share.getProcs(), tasks * memory(job)
                        });
                        assertThat(machines.get(share.getNodeId()))
                                .as(what)
                                .matches(machine ->
                                        mayUse(machine, job.getRequirements().get(0)));
                    }
                }
            }
        }
        for (ReservationStatus reservation : weir.publishedReservations.values()) {
            JobStatus job = weir.job(reservation.getReservationId());
            if (!reservation.getPlacements().isEmpty()) {
                assertThat(reservation.getPlacements())
                        .as("%s: %s", what, job.getJobId())
                        .extracting(TaskPlacement::getNodeId)
                        .containsAll(job.getRequirements().get(0).getRequiredHosts());
            }
            long start = reservation.getStart().getEpochSecond() - SchedulerFixture.T0;
            int tasks = 0;
            for (TaskPlacement placement : reservation.getPlacements()) {
                tasks += placement.getTasks();
                uses.add(new long[] {
                    names.indexOf(placement.getNodeId()),
                    start,
                    start + job.getWalltimeSeconds(),
                    placement.getTasks() * job.getProcsPerTask(),
                    placement.getTasks() * memory(job)
                });
            }
            if (!reservation.getPlacements().isEmpty()) {
                assertThat(tasks).as(what).isEqualTo(job.getTasks());
            }
        }
        TreeSet<Long> instants = new TreeSet<>();
        uses.forEach(use -> instants.add(use[1]));
        for (long instant : instants) {
            long[][] sums = new long[names.size()][2];
            for (long[] use : uses) {
                if (use[1] <= instant && instant < use[2]) {
                    sums[(int) use[0]][0] += use[3];
                    sums[(int) use[0]][1] += use[4];
                }
            }
            for (int n = 0; n < sums.length; n++) {
                Machine machine = machines.get(names.get(n));
                assertThat(sums[n][0])
                        .as("%s: processors of %s at %d", what, machine, instant)
                        .isLessThanOrEqualTo(machine.procs());
                assertThat(sums[n][1])
                        .as("%s: memory of %s at %d", what, machine, instant)
                        .isLessThanOrEqualTo(machine.memory());
            }
        }
    }

    /** The first reservation, one for a deadline and under HIGHEST every one is never put off. */
    private void checkPromises(String what, int policy, long now) {
        boolean all = POLICIES.get(policy).contains("HIGHEST");
        Map<String, ReservationStatus> reserved = weir.publishedReservations;
        String first = reserved.isEmpty() ? "" : Collections.min(reserved.keySet());
        for (String id : ids) {
            Long promise = promised.get(id);
            ReservationStatus reservation = reserved.get(id);
            if (promise != null && reservation != null) {
                assertThat(weir.reservedStart(id)).as("%s: %s", what, id).isLessThanOrEqualTo(promise);
            } else if (promise != null && weir.knows(id) && weir.job(id).getStartTime() != null) {
                assertThat(start(weir.job(id)))
                        .as("%s: start of %s", what, id)
                        .isLessThanOrEqualTo(Math.max(promise, now));
                promised.remove(id);
            }
            if (reservation != null && reservation.getType() == ReservationType.DEADLINE) {
                assertThat(reservation.getEnd())
                        .as("%s: end of %s", what, id)
                        .isBeforeOrEqualTo(weir.job(id).getDeadline());
            }
            if (reservation != null && (all || id.equals(first) || reservation.getType() == ReservationType.DEADLINE)) {
                promised.merge(id, weir.reservedStart(id), Math::min);
            }
        }
    }

    /** Where nothing is reserved, no job waits that the free nodes could hold. */
    private void checkWorkConservation(String what, int policy) {
        if (dueSome || !POLICIES.get(policy).contains("NEVER")) {
            return;
        }
        Map<String, long[]> free = new TreeMap<>();
        machines.values().forEach(m -> free.put(m.id(), new long[] {m.procs(), m.memory()}));
        for (String id : ids) {
            if (weir.knows(id)) {
                JobStatus job = weir.job(id);
                boolean active = job.getState() == JobState.RUNNING || job.getState() == JobState.STARTING;
                for (NodeAllocation share : active ? job.getAllocation() : List.<NodeAllocation>of()) {
                    long[] left = free.get(share.getNodeId());
                    left[0] -= share.getProcs();
                    left[1] -= share.getProcs() / job.getProcsPerTask() * memory(job);
                }
            }
        }
        for (String id : ids) {
            if (weir.knows(id) && weir.job(id).getState() == JobState.IDLE) {
                JobStatus job = weir.job(id);
                long tasks = 0;
                TreeSet<String> required =
                        new TreeSet<>(job.getRequirements().get(0).getRequiredHosts());
                boolean enough = required.size() <= job.getTasks();
                for (Machine machine : machines.values()) {
                    long[] left = free.get(machine.id());
                    if (mayUse(machine, job.getRequirements().get(0))) {
                        long here = Math.min(
                                left[0] / job.getProcsPerTask(), memory(job) == 0 ? 99 : left[1] / memory(job));
                        tasks += here;
                        if (here > 0) {
                            required.remove(machine.id());
                        }
                    }
                }
                assertThat(enough && required.isEmpty() ? tasks : 0)
                        .as("%s: %s could start", what, id)
                        .isLessThan(job.getTasks());
            }
        }
    }

    private static boolean mayUse(Machine machine, TaskRequirement requirement) {
        return machine.features().containsAll(requirement.getFeatures())
                && (requirement.getHosts().isEmpty() || requirement.getHosts().contains(machine.id()))
                && !requirement.getExcludedHosts().contains(machine.id());
    }

    private static long memory(JobStatus job) {
        return job.getRequirements().get(0).getMemoryMb();
    }

    private static long start(JobStatus job) {
        return job.getStartTime().getEpochSecond() - SchedulerFixture.T0;
    }
}
