package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.standalone.Standalone;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of one partition or QOS preempt those of another as Slurm's configuration has it, under the policy that is proposed for it. */
class SlurmPreemptionIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path data;

    private SlurmSite slurm;

    @AfterEach
    void stopSlurm() {
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    void shouldPreemptJobsOfALowerTier() {
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "4", "SLURM_EXTRA", """
                PreemptType=preempt/partition_prio
                PreemptMode=REQUEUE
                PartitionName=urgent Nodes=ALL PriorityTier=9 MaxTime=INFINITE State=UP
                PartitionName=graceful Nodes=ALL GraceTime=10 MaxTime=INFINITE State=UP"""));
        try (Standalone weir = slurm.startWeir(data, Map.of(), proposed())) {
            String requeued = slurm.submit("sleep 3000", "-N4", "--exclusive");
            await().atMost(PATIENCE).until(() -> state(requeued).equals("RUNNING"));

            String first = slurm.submit("sleep 10", "-p", "urgent", "-N1");

            await().atMost(PATIENCE).until(() -> state(first).equals("RUNNING"));
            assertThat(state(requeued)).isEqualTo("PENDING");
            await().atMost(PATIENCE).until(() -> state(requeued).equals("RUNNING"));
            assertThat(state(first)).isEqualTo("COMPLETED");
            assertThat(show(requeued, "Restarts")).isEqualTo("1");
            assertThat(SlurmSite.weir("checkjob", "-v", requeued, "--data", data.toString()))
                    .contains("preempted by job " + first);

            slurm.run(List.of("scancel", requeued));
            String lost = slurm.submit("sleep 3000", "-N4", "--exclusive", "--no-requeue");
            await().atMost(PATIENCE).until(() -> state(lost).equals("RUNNING"));

            String second = slurm.submit("sleep 10", "-p", "urgent", "-N2");

            await().atMost(PATIENCE).until(() -> state(second).equals("RUNNING"));
            assertThat(state(lost)).isEqualTo("CANCELLED");
            await().atMost(PATIENCE).until(() -> state(second).equals("COMPLETED"));

            shouldLeaveThemTheirGraceTime();
        }
    }

    /** The steps of a job are told that it is preempted: one ends in good order, the other is requeued when its time is over. */
    private void shouldLeaveThemTheirGraceTime() {
        String polite = slurm.submit("srun sh -c 'trap \"exit 0\" TERM; sleep 3000 & wait'", "-p", "graceful", "-N2");
        String stubborn = slurm.submit("srun sh -c 'trap : TERM; while :; do sleep 1; done'", "-p", "graceful", "-N2");
        await().atMost(PATIENCE)
                .until(() -> state(polite).equals("RUNNING") && state(stubborn).equals("RUNNING"));
        await().atMost(PATIENCE).until(() -> steps(polite) && steps(stubborn));

        long told = System.nanoTime();
        String urgent = slurm.submit("sleep 10", "-p", "urgent", "-N4");

        await().atMost(PATIENCE).until(() -> state(polite).equals("COMPLETED"));
        assertThat(state(stubborn)).isEqualTo("RUNNING");
        await().atMost(PATIENCE).until(() -> state(urgent).equals("RUNNING"));
        assertThat(Duration.ofNanos(System.nanoTime() - told)).isGreaterThan(Duration.ofSeconds(10));
        assertThat(show(stubborn, "JobState")).isEqualTo("PENDING");
        assertThat(show(polite, "Restarts")).isEqualTo("0");
        assertThat(SlurmSite.weir("checkjob", "-v", polite, "--data", data.toString()))
                .contains("preempted by job " + urgent)
                .doesNotContain("refused");
    }

    private boolean steps(String job) {
        return slurm.run(List.of("squeue", "--noheader", "--steps", "--jobs=" + job, "--format=%i"))
                .contains(job + ".0");
    }

    /** The jobs of the lower QOS were submitted first, and no QOS has a priority. */
    @Test
    void shouldPreemptJobsOfTheQosThatAnotherLists() {
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "2", "SLURM_DATABASE", "1", "SLURM_EXTRA", """
                AccountingStorageEnforce=associations,limits,qos
                PreemptType=preempt/qos
                PreemptMode=REQUEUE"""));
        account("add", "qos", "low");
        account("add", "qos", "high");
        account("modify", "qos", "high", "set", "preempt=low");
        account("add", "account", "lab");
        account("add", "user", "nobody", "account=lab");
        account("modify", "user", "nobody", "set", "qos=low,high,normal");
        try (Standalone weir = slurm.startWeir(data, Map.of(), proposed())) {
            String usual = slurm.submit("sleep 3000", "-q", "normal", "-N1", "--exclusive");
            String low = slurm.submit("sleep 3000", "-q", "low", "-N1", "--exclusive");
            await().atMost(PATIENCE)
                    .until(() -> state(usual).equals("RUNNING") && state(low).equals("RUNNING"));

            String high = slurm.submit("sleep 10", "-q", "high", "-N1", "--exclusive");

            await().atMost(PATIENCE).until(() -> state(high).equals("RUNNING"));
            assertThat(state(low)).isEqualTo("PENDING");
            await().atMost(PATIENCE).until(() -> state(low).equals("RUNNING"));
            assertThat(state(high)).isEqualTo("COMPLETED");
            assertThat(show(low, "Restarts")).isEqualTo("1");
            assertThat(show(usual, "Restarts")).isEqualTo("0");
        }
    }

    private void account(String... words) {
        slurm.run(Stream.concat(Stream.of("sacctmgr", "-i"), Stream.of(words)).toList());
    }

    private String proposed() {
        return SlurmSite.weir("slurm", "policy", "--conf", slurm.directory() + "/slurm.conf");
    }

    private String state(String job) {
        return show(job, "JobState");
    }

    private String show(String job, String attribute) {
        return slurm.run(List.of("scontrol", "-o", "show", "job", job))
                .replaceAll("(?s).*?\\b" + attribute + "=(\\S*).*", "$1");
    }
}
