package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.standalone.Standalone;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of one partition preempt those of another as Slurm's configuration has it, under the policy that is proposed for it. */
class SlurmPreemptionIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path data;

    private SlurmSite slurm;

    @BeforeEach
    void startSlurm() {
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "4", "SLURM_EXTRA", """
                PreemptType=preempt/partition_prio
                PreemptMode=REQUEUE
                PartitionName=urgent Nodes=ALL PriorityTier=9 MaxTime=INFINITE State=UP"""));
    }

    @AfterEach
    void stopSlurm() {
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    void shouldPreemptJobsOfALowerTier() {
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
        }
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
