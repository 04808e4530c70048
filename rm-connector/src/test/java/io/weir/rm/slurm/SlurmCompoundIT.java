package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.slurm.translate.SlurmJobTranslation;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heterogeneous jobs where they arrive: with Slurm's backfill scheduler and the site's own job_submit.lua. */
class SlurmCompoundIT {
    static {
        AvroTrust.install();
    }

    /** Holds every job, and lets every shape in. */
    private static final String SITES_OWN = """
            function slurm_job_submit(job, partitions, uid)
               job.priority = 0
               return slurm.SUCCESS
            end
            function slurm_job_modify(job, record, partitions, uid)
               return slurm.SUCCESS
            end
            return slurm.SUCCESS
            """;

    @TempDir
    Path files;

    @Test
    void shouldTellInAdminCommentWhyNoPartStarts() throws IOException {
        Path lua = Files.writeString(files.resolve("job_submit.lua"), SITES_OWN);
        try (SlurmTestCluster cluster = SlurmTestCluster.start(
                        Map.of("SLURM_NODES", "2", "SLURM_SCHEDULER", "sched/backfill", "SLURM_LUA", lua.toString()));
                SlurmResourceManager rm =
                        SlurmResourceManager.open(Drive.CLUSTER, SlurmConfig.read(cluster.settings()))) {
            cluster.submit("sleep 1", "-n1", ":", "-n1");
            String plain = cluster.submit("sleep 1");

            List<JobReport> jobs = rm.poll().jobs();

            assertThat(jobs)
                    .filteredOn(job -> !job.getJobId().equals(plain))
                    .hasSize(2)
                    .allSatisfy(job -> {
                        assertThat(job.getState()).isEqualTo(JobState.HOLD);
                        assertThat(job.getReason()).isEqualTo(SlurmJobTranslation.HETEROGENEOUS);
                    });
            assertThat(cluster.run("squeue", "--noheader", "--array", "-O", "jobid,admin_comment:100")
                            .lines())
                    .hasSize(3)
                    .allSatisfy(line -> assertThat(line.contains(SlurmJobTranslation.HETEROGENEOUS))
                            .as(line)
                            .isEqualTo(!line.startsWith(plain + " ")));
        }
    }

    @Test
    void shouldRefuseHeterogeneousJobsAtSubmissionUnderBackfillToo() {
        try (SlurmTestCluster cluster =
                SlurmTestCluster.start(Map.of("SLURM_NODES", "1", "SLURM_SCHEDULER", "sched/backfill"))) {
            cluster.run("rm", cluster.directory().resolve("cli_filter.lua").toString());
            cluster.run(
                    "sed",
                    "-i",
                    "/^CliFilterPlugins/d",
                    cluster.directory().resolve("slurm.conf").toString());

            assertThatThrownBy(() -> cluster.submit("sleep 1", "-n1", ":", "-n1"))
                    .hasMessageContaining("heterogeneous jobs are not supported");
        }
    }
}
