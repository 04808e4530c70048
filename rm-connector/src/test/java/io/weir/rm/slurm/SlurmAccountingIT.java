package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.topics.AvroTrust;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What Slurm's accounting says of the same jobs under Slurm's own scheduler and started by the connector: times alone differ. */
class SlurmAccountingIT {
    static {
        AvroTrust.install();
    }

    private static final Map<String, String> SITE =
            Map.of("SLURM_NODES", "4", "SLURM_DATABASE", "1", "SLURM_MIN_JOB_AGE", "3600");
    private static final int ROUNDS = Integer.getInteger("slurm.rounds", 4);

    /** Ten tasks and jobs each time. */
    private static List<String> submitAll(SlurmTestCluster cluster) {
        List<String> jobs = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            jobs.add(cluster.submit("exit 0", "-J", "fine." + round));
            jobs.add(cluster.submit("exit 3", "-J", "bad." + round, "-N1", "-n2"));
            jobs.add(cluster.submit("kill -9 $$", "-J", "killed." + round, "-t", "7"));
            jobs.add(cluster.submit("exit 0", "-J", "wide." + round, "-N2", "-n4"));
            jobs.add(cluster.submit("exit 0", "-J", "whole." + round, "--mem=1000", "-c3"));
            jobs.add(cluster.submit("exit $SLURM_ARRAY_TASK_ID", "-J", "tasks." + round, "--array=0-3"));
            jobs.add(cluster.submit("sleep 6", "-J", "later." + round, "-d", "afterok:" + jobs.get(jobs.size() - 6)));
        }
        return jobs;
    }

    /** A job is told by its name, for Slurm gives numbers to tasks too, when they start. */
    private static List<String> accounted(SlurmTestCluster cluster, String... columns) {
        return cluster.run(
                        "sacct", "-a", "-X", "-n", "-P", "-S", "2020-01-01", "-o", "JobID," + String.join(",", columns))
                .lines()
                .map(line -> line.replaceFirst("^\\d+_?", ""))
                .sorted()
                .toList();
    }

    private static void awaitEnd(SlurmTestCluster cluster) {
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> cluster.run("squeue", "--noheader").isBlank());
        // What is accounted of a start is sent within five seconds.
        await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
    }

    @Test
    void shouldDifferInTimesOnly() {
        // On how many nodes processors are spread is the scheduler's choice, and here there is none.
        String[] columns = {
            "JobName", "User", "Partition", "State", "ExitCode", "NCPUS", "ReqCPUS", "ReqMem", "TimelimitRaw", "QOS"
        };
        List<String> slurms;
        try (SlurmTestCluster own =
                SlurmTestCluster.start(with(SITE, Map.of("SLURM_HOLD", "0", "SLURM_SCHEDULER", "sched/backfill")))) {
            submitAll(own);
            awaitEnd(own);
            slurms = accounted(own, columns);
        }
        try (SlurmTestCluster cluster = SlurmTestCluster.start(SITE);
                SlurmResourceManager rm =
                        SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(cluster.settings()))) {
            submitAll(cluster);
            Drive drive = new Drive(rm);
            await().atMost(Duration.ofMinutes(4)).pollInSameThread().until(() -> {
                drive.runAll();
                return drive.poll().jobs().stream()
                        .noneMatch(job -> job.getState() == JobState.HOLD || job.getState() == JobState.IDLE);
            });
            awaitEnd(cluster);

            assertThat(slurms).hasSize(ROUNDS * 10);
            assertThat(accounted(cluster, columns)).isEqualTo(slurms);
            assertThat(accounted(cluster, "Eligible"))
                    .hasSize(ROUNDS * 10)
                    .allSatisfy(
                            line -> assertThat(line).doesNotContain("Unknown").doesNotContain("None"));
        }
    }

    @Test
    void shouldAccountEachRunOfARequeuedJob() {
        try (SlurmTestCluster cluster = SlurmTestCluster.start(SITE);
                SlurmResourceManager rm =
                        SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(cluster.settings()))) {
            Drive drive = new Drive(rm);
            String job = cluster.submit("[ $SLURM_RESTART_COUNT ] && exit 4; sleep 1000");
            assertThat(drive.start(job, "n1").outcome()).isEqualTo(CommandOutcome.DONE);
            await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
            assertThat(drive.carryOut(CommandKind.REQUEUE_JOB, job).outcome()).isEqualTo(CommandOutcome.DONE);
            assertThat(drive.start(job, "n2").outcome()).isEqualTo(CommandOutcome.DONE);
            awaitEnd(cluster);

            assertThat(cluster.run("sacct", "-X", "-D", "-n", "-P", "-j", job, "-o", "State,ExitCode,NodeList,Eligible")
                            .lines())
                    .hasSize(2)
                    .anySatisfy(line -> assertThat(line).startsWith("REQUEUED|0:0|n1|2"))
                    .anySatisfy(line -> assertThat(line).startsWith("FAILED|4:0|n2|2"));
        }
    }

    /** slurmctld changes nothing of a job while it waits for slurmdbd to register it. */
    @Test
    void shouldTryAJobAgainThatAccountingHadNotRegistered() {
        try (SlurmTestCluster cluster = SlurmTestCluster.start(SITE);
                SlurmResourceManager rm =
                        SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(cluster.settings()))) {
            Drive drive = new Drive(rm);
            cluster.script("pause", "database");
            String job = cluster.submit("sleep 1");
            String behind = cluster.submit("sleep 1");
            // What is accounted of jobs is sent every five seconds.
            await().pollDelay(Duration.ofSeconds(6)).until(() -> true);

            RmAnswer refused = drive.start(job, "n1");
            RmAnswer untried = drive.start(behind, "n2");

            assertThat(refused.outcome()).isEqualTo(CommandOutcome.REFUSED);
            assertThat(refused.passing()).isTrue();
            assertThat(drive.job(job).getState()).isEqualTo(JobState.HOLD);
            assertThat(drive.job(job).getReason()).contains("slurmdbd has not registered the job");
            assertThat(untried.outcome()).isEqualTo(CommandOutcome.REFUSED);
            assertThat(untried.passing()).isTrue();
            assertThat(untried.message()).contains("has not registered a job before it");
            assertThat(drive.job(behind).getReason()).contains("slurmdbd has not registered the job");

            cluster.script("resume", "database");
            await().atMost(Duration.ofSeconds(30)).until(() -> drive.job(job).getState() == JobState.IDLE);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> drive.start(job, "n1").outcome() == CommandOutcome.DONE);
            assertThat(drive.job(behind).getState()).isEqualTo(JobState.IDLE);
            assertThat(drive.start(behind, "n2").outcome()).isEqualTo(CommandOutcome.DONE);
        }
    }

    /** Slurm itself leaves out of {@code sacct -S} what was never eligible, and counts no held job as that. */
    @Test
    void shouldAccountJobsThatAreCancelledWhileTheyWait() {
        try (SlurmTestCluster cluster = SlurmTestCluster.start(SITE);
                SlurmResourceManager rm =
                        SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(cluster.settings()))) {
            Drive drive = new Drive(rm);
            String never = cluster.submit("sleep 1000");
            String tasks = cluster.submit("sleep 1000", "--array=0-1");
            String requeued = cluster.submit("sleep 1000");
            String refused = cluster.submit("sleep 1000");
            String byNode = cluster.submit("sleep 1000");
            assertThat(drive.start(requeued, "n1").outcome()).isEqualTo(CommandOutcome.DONE);
            assertThat(drive.start(byNode, "n2").outcome()).isEqualTo(CommandOutcome.DONE);
            cluster.run("scontrol", "update", "NodeName=n3", "State=DRAIN", "Reason=test");
            assertThat(drive.start(refused, "n3").outcome()).isEqualTo(CommandOutcome.REFUSED);
            await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
            assertThat(drive.carryOut(CommandKind.REQUEUE_JOB, requeued).outcome())
                    .isEqualTo(CommandOutcome.DONE);
            cluster.run("scontrol", "requeue", byNode);
            await().until(() -> drive.job(byNode).getState() == JobState.IDLE);
            assertThat(cluster.show(byNode, "Priority")).isEqualTo("0");

            for (String job : List.of(never, tasks, requeued, refused, byNode)) {
                assertThat(drive.carryOut(CommandKind.CANCEL_JOB, job.equals(tasks) ? tasks + "_0" : job)
                                .outcome())
                        .isEqualTo(CommandOutcome.DONE);
            }
            cluster.run("scancel", tasks);
            awaitEnd(cluster);

            assertThat(accounted(cluster, "State", "Eligible"))
                    .hasSizeGreaterThanOrEqualTo(5)
                    .allSatisfy(line -> assertThat(line).matches("[^|]*\\|CANCELLED[^|]*\\|2\\d{3}-.*"));
            for (String job : List.of(never, requeued, refused, byNode)) {
                assertThat(cluster.run("sacct", "-a", "-X", "-n", "-P", "-S", "now-1hour", "-o", "JobID")
                                .lines())
                        .contains(job);
            }
        }
    }

    private static Map<String, String> with(Map<String, String> settings, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(more);
        return all;
    }
}
