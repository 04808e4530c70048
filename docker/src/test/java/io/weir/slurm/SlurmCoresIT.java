package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.standalone.Standalone;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four nodes of two sockets with two cores of two threads, of which the last keeps a core for the system: Slurm gives whole cores,
 * and 15 of them. Weir counts as Slurm does, so that no start is in vain.
 */
class SlurmCoresIT {
    private static final Map<String, String> SITE =
            Map.of("SLURM_NODES", "4", "SLURM_SITE", "threads", "SLURM_MIN_JOB_AGE", "3600");

    @TempDir
    Path data;

    @Test
    void shouldStartAsManyJobsAtOnceAsThereAreCores() throws IOException {
        try (SlurmSite site = SlurmSite.start(SITE);
                Standalone weir = site.startWeir(data, site.pokes())) {
            assertThat(weir.isHealthy()).isTrue();
            List<String> jobs = new ArrayList<>();
            for (int i = 0; i < 18; i++) {
                jobs.add(site.submit("sleep 600", "-n1"));
            }
            awaitRunning(site, 15);
            assertThat(site.run(List.of("squeue", "--noheader", "--states=RUNNING", "--format=%C"))
                            .lines())
                    .containsOnly("2");
            assertThat(site.run(List.of("squeue", "--noheader", "--states=PENDING", "--format=%r"))
                            .lines())
                    .as("nothing was released in vain")
                    .containsOnly("JobHeldUser");

            site.run(List.of("scancel", jobs.get(0), jobs.get(1), jobs.get(2)));
            awaitRunning(site, 15);

            site.run(List.of("scancel", "--user=nobody"));
            String whole = site.submit("sleep 600", "--partition=whole", "-n1");
            String apart = site.submit("sleep 600", "-n4", "-N1", "--hint=nomultithread");
            awaitRunning(site, 2);
            assertThat(nodes(site, whole)).isNotEqualTo(nodes(site, apart));
        }
    }

    private static void awaitRunning(SlurmSite site, int count) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(site.jobs().values())
                        .filteredOn(job -> job.state().equals("RUNNING"))
                        .hasSize(count));
    }

    private static Object nodes(SlurmSite site, String job) {
        return site.jobs().get(Long.parseLong(job)).nodes();
    }
}
