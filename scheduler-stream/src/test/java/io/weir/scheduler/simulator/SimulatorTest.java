package io.weir.scheduler.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.simulator.ReferenceScheduler.Policy;
import io.weir.trace.JobRun;
import io.weir.trace.RunSummary;
import io.weir.trace.TraceJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatorTest {
    private static final int ROUNDS = 60;

    @ParameterizedTest(name = "{0} depth {1}")
    @CsvSource({
        "STRICT, 0",
        "NEVER, 5",
        "CURRENTHIGHEST, 0",
        "CURRENTHIGHEST, 1",
        "CURRENTHIGHEST, 2",
        "CURRENTHIGHEST, 3",
        "CURRENTHIGHEST, 7",
        "CURRENTHIGHEST, 2147483647",
        "HIGHEST, 1",
        "HIGHEST, 2",
        "HIGHEST, 4",
        "HIGHEST, 2147483647"
    })
    void shouldGiveTheReferenceStartTimesOnEveryShapeOfCluster(Policy policy, int depth) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Random random = new Random(seed * 7919 + depth);
            int processors = 1 + random.nextInt(24);
            List<TraceJob> jobs = workload(random, processors);
            String config = config(policy, depth);

            assertSameOnEveryShape(jobs, processors, policy, depth, config, seed);
        }
    }

    /** Uniform nodes are one large node also where every node is followed; no class is, and no set, but there might be. */
    @ParameterizedTest(name = "{0} depth {1}")
    @CsvSource({
        "STRICT, 0",
        "NEVER, 5",
        "CURRENTHIGHEST, 1",
        "CURRENTHIGHEST, 3",
        "CURRENTHIGHEST, 2147483647",
        "HIGHEST, 1",
        "HIGHEST, 4",
        "HIGHEST, 2147483647"
    })
    void shouldGiveTheReferenceStartTimesWhereNodesAreFollowed(Policy policy, int depth) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Random random = new Random(seed * 6007 + depth);
            int processors = 2 + random.nextInt(23);
            List<TraceJob> jobs = workload(random, processors);
            String config = config(policy, depth)
                    + (seed % 2 == 0
                            ? "CLASSCFG[other] PRIORITY=1\n"
                            : "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETISOPTIONAL TRUE\n");

            assertSameOnEveryShape(jobs, processors, policy, depth, config, seed);
        }
    }

    /** Iterations follow each other at one instant until the plan is finished: all of it is what one would have made. */
    @ParameterizedTest(name = "depth {0}, {1} at a time")
    @CsvSource({"2147483647, 1", "2147483647, 3", "7, 2", "7, 7", "1, 1"})
    void shouldGiveTheReferenceStartTimesInSlices(int depth, int slice) {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Random random = new Random(seed * 4447 + depth);
            int processors = 2 + random.nextInt(23);
            List<TraceJob> jobs = workload(random, processors);
            String config = config(Policy.CURRENTHIGHEST, depth)
                    + "RESERVATIONSLICE " + slice + "\n"
                    + (seed % 2 == 0 ? "CLASSCFG[other] PRIORITY=1\n" : "");

            assertSameOnEveryShape(jobs, processors, Policy.CURRENTHIGHEST, depth, config, seed);
        }
    }

    @Test
    void shouldSummariseARun() {
        List<TraceJob> jobs = List.of(
                new TraceJob("1", 1, 0, 0, 2, 100, 50, 1, 1, 1), new TraceJob("2", 2, 1, 10, 2, 100, 5, 1, 1, 1));

        RunSummary summary = RunSummary.of(simulate(new ClusterModel(1, 2), jobs, ""), 2);

        assertThat(summary.jobs()).isEqualTo(2);
        assertThat(summary.meanWaitSeconds()).isEqualTo(20);
        assertThat(summary.meanBoundedSlowdown()).isEqualTo((1.0 + 4.5) / 2);
        assertThat(summary.utilisation()).isEqualTo(1.0);
        assertThat(summary.makespanSeconds()).isEqualTo(55);
    }

    @Test
    void shouldWaitForAStandingReservationToEnd() {
        List<TraceJob> jobs = List.of(new TraceJob("1", 1, 0, 3_600, 1, 600, 600, 1, 1, 1));

        List<JobRun> runs = new Simulator(
                        new ClusterModel(2, 1),
                        jobs,
                        0,
                        "SRCFG[service] PERIOD=DAY STARTTIME=0:00:00 ENDTIME=8:00:00 HOSTLIST=ALL\n")
                .run();

        assertThat(runs).extracting(JobRun::start).containsExactly(28_800L);
    }

    /** A configuration names users, groups and queues of the trace as the simulated resource manager does. */
    @ParameterizedTest
    @ValueSource(strings = {"USERCFG[u7]", "GROUPCFG[g8]", "CLASSCFG[q9]"})
    void shouldRankJobsByTheirCredentials(String whom) {
        List<TraceJob> jobs = List.of(
                new TraceJob("1", 1, 0, 0, 2, 100, 100, 1, 1, 1),
                new TraceJob("2", 2, 1, 1, 2, 100, 100, 1, 1, 1),
                new TraceJob("3", 3, 2, 2, 2, 100, 100, 7, 8, 9));

        List<JobRun> runs = new Simulator(new ClusterModel(1, 2), jobs, 0, whom + " PRIORITY=100000\n").run();

        assertThat(runs).extracting(JobRun::number).containsExactly(1L, 3L, 2L);
    }

    @Test
    void shouldEndWhereAJobNeverStarts() {
        List<TraceJob> jobs = List.of(
                new TraceJob("1", 1, 0, 0, 4, 100, 50, 1, 1, 1), new TraceJob("2", 2, 1, 0, 1, 100, 50, 1, 1, 1));

        List<JobRun> runs = simulate(
                new ClusterModel(2, 2),
                jobs,
                "NODECFG[DEFAULT] MAXPROC=1\nSRCFG[daily] PERIOD=DAY HOSTLIST=n1 USERLIST=root\n");

        assertThat(runs).extracting(JobRun::number).containsExactly(2L);
    }

    /** However far beyond all that is counted limits end, backfill holds nobody up: wide jobs start as if all ended in a day. */
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        "2147483646, RESERVATIONDEPTH 1",
        "2147483648, RESERVATIONDEPTH 1",
        "3162240000, RESERVATIONDEPTH 1",
        "3162240000, RESERVATIONDEPTH INFINITY",
        "3162240000, RESERVATIONPOLICY HIGHEST",
        "3162240000, CLASSCFG[other] PRIORITY=1",
        "3162240000, CLASSCFG[other] PRIORITY=1; RESERVATIONDEPTH INFINITY",
        "3162240000, CLASSCFG[other] PRIORITY=1; RESERVATIONPOLICY HIGHEST",
        "3162240000, BACKFILLPOLICY BESTFIT"
    })
    void shouldStartWideJobsInTurnAmongJobsWithoutALimit(long limit, String config) {
        String lines = config.replace("; ", "\n");
        ClusterModel cluster = new ClusterModel(2, 4);

        List<JobRun> runs = simulate(cluster, stream(limit), lines);

        assertThat(runs.subList(1, 4)).extracting(JobRun::start).containsExactly(1_000L, 2_000L, 3_000L);
        assertThat(runs).extracting(JobRun::start).isEqualTo(starts(simulate(cluster, stream(86_400), lines)));
    }

    private static List<Long> starts(List<JobRun> runs) {
        return runs.stream().map(JobRun::start).toList();
    }

    /** One of four processors runs; behind it three that want all eight wait, and others of one processor arrive. */
    private static List<TraceJob> stream(long limit) {
        List<TraceJob> jobs = new ArrayList<>();
        jobs.add(new TraceJob("1", 1, 0, 0, 4, limit, 1_000, -1, -1, -1));
        for (int i = 2; i <= 4; i++) {
            jobs.add(new TraceJob(Integer.toString(i), i, i, 1, 8, limit, 1_000, -1, -1, -1));
        }
        for (int i = 5; i < 40; i++) {
            jobs.add(new TraceJob(Integer.toString(i), i, i, (i - 4) * 200L, 1, limit, 1_000, -1, -1, -1));
        }
        return jobs;
    }

    private static void assertSameOnEveryShape(
            List<TraceJob> jobs, int processors, Policy policy, int depth, String config, long seed) {
        List<JobRun> expected = sorted(new ReferenceScheduler(processors, policy, depth).run(jobs));
        for (int perNode : new int[] {processors, 1, 4}) {
            if (processors % perNode == 0) {
                assertThat(simulate(new ClusterModel(processors / perNode, perNode), jobs, config))
                        .as("%d nodes of %d processors, seed %d", processors / perNode, perNode, seed)
                        .isEqualTo(expected);
            }
        }
    }

    private static String config(Policy policy, int depth) {
        return policy == Policy.STRICT
                ? "BACKFILLPOLICY NONE\n"
                : "RESERVATIONPOLICY " + policy + "\nRESERVATIONDEPTH " + depth + "\n";
    }

    private static List<JobRun> simulate(ClusterModel cluster, List<TraceJob> jobs, String config) {
        return sorted(new Simulator(cluster, jobs, 1_000_000, config).run());
    }

    private static List<JobRun> sorted(List<JobRun> runs) {
        return runs.stream().sorted(Comparator.comparingLong(JobRun::number)).toList();
    }

    /** Bursts of jobs with wrong, right and exceeded estimates, many at the same instants. */
    private static List<TraceJob> workload(Random random, int processors) {
        List<TraceJob> jobs = new ArrayList<>();
        long submit = 0;
        int count = 20 + random.nextInt(60);
        for (int i = 0; i < count; i++) {
            submit += random.nextInt(3) == 0 ? random.nextInt(40) : 0;
            long estimate = 1 + random.nextInt(random.nextBoolean() ? 10 : 100);
            long run = switch (random.nextInt(3)) {
                case 0 -> estimate;
                case 1 -> 1 + random.nextInt((int) estimate);
                default -> estimate + random.nextInt(10);
            };
            int procs = 1 + random.nextInt(random.nextBoolean() ? processors : Math.max(1, processors / 4));
            jobs.add(new TraceJob(Integer.toString(i), i, i, submit, procs, estimate, run, -1, -1, -1));
        }
        return jobs;
    }
}
