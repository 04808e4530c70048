package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.Feature;
import io.weir.command.nonstop.NonstopSite;
import io.weir.schemas.JobStatus;
import io.weir.slurm.SlurmSite.SlurmRecord;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What becomes of jobs on a real Slurm whose nodes die, by the policies that they ask for. Slurm puts such jobs back into its
 * queue by itself, those apart that are submitted with --no-kill; what came of each, Slurm says.
 */
@NullUnmarked
class SlurmFailurePolicyIT {
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);

    private static SlurmSite slurm;
    private static NonstopSite weir;

    @BeforeAll
    static void startEverything() throws Exception {
        SlurmSite.assumeInstalled();
        for (String file : List.of("/usr/sbin/slurmdbd", "/usr/sbin/mariadbd")) {
            Assumptions.assumeTrue(
                    Files.isExecutable(Path.of(file)), file + " is missing: install it with .ci/install-slurm --db");
        }
        slurm = SlurmSite.start(Map.of(
                // Six for the jobs, two for those that go on elsewhere, and two that stay free.
                "SLURM_NODES", "10",
                "SLURM_CPUS", "1",
                "SLURM_DATABASE", "1",
                "SLURM_NODE_TIMEOUT", "15",
                "SLURM_MIN_JOB_AGE", "3600"));
        Map<String, String> settings = new HashMap<>(slurm.connectorSettings());
        settings.put("connector.poll.interval.ms", "500");
        settings.put("connector.poke.file", slurm.directory().resolve("poke").toString());
        weir = new NonstopSite(
                Files.createDirectories(slurm.directory().resolve("weir")),
                settings,
                "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n");
    }

    @AfterAll
    static void stopEverything() {
        if (weir != null) {
            weir.close();
        }
        if (slurm != null) {
            slurm.close();
        }
    }

    @Test
    @Feature({"FAIL-4", "FAIL-5", "FAIL-9", "FAIL-10", "FAIL-20"})
    void shouldAnswerTheLossOfNodesByThePolicyOfEachJob() {
        String cancelled = running("n1");
        String failed = running("n2", "--comment=x=resfailpolicy=fail");
        String requeued = running("n3", "--comment=x=resfailpolicy=requeue");
        String moved = running("n4 n5", "-N2", "-n2", "--no-kill", "--comment=x=resfailpolicy=migrate");
        String held = running("n6", "--comment=x=resfailpolicy=hold;checkpointable");

        Stream.of("n1", "n2", "n3", "n5", "n6").forEach(node -> slurm.script("kill", "node", node));

        eventually(() ->
                assertThat(record(moved).nodes()).hasSize(2).contains("n4").doesNotContain("n5"));
        eventually(() -> assertThat(record(requeued))
                .satisfies(job -> assertThat(job.state()).isEqualTo("RUNNING"))
                .satisfies(job -> assertThat(job.nodes()).doesNotContain("n3")));
        eventually(() -> assertThat(record(cancelled).state()).isEqualTo("CANCELLED"));
        eventually(() -> assertThat(record(failed).state()).isEqualTo("CANCELLED"));
        eventually(() -> assertThat(holds(held)).contains("BATCH"));
        // With room for it, and another starting there, the held job waits on.
        String other = slurm.submit("sleep 1000", "-t60");
        eventually(() -> assertThat(record(other).state()).isEqualTo("RUNNING"));

        assertThat(record(held).state()).isEqualTo("PENDING");
        assertThat(record(held).restarts()).isEqualTo(1);
        assertThat(holds(held)).contains("BATCH");
        assertThat(record(moved).restarts()).isZero();
        assertThat(record(requeued).restarts()).isEqualTo(1);
    }

    /** Submits a job and waits until it runs on {@code nodes}. */
    private static String running(String nodes, String... options) {
        String[] all = Stream.concat(Stream.of("-t60"), Stream.of(options)).toArray(String[]::new);
        String job = slurm.submit("sleep 1000", all);
        eventually(() -> assertThat(record(job).nodes()).containsExactly(nodes.split(" ")));
        return job;
    }

    /** Returns the holds that Weir says the job has. */
    private static List<String> holds(String job) {
        return new TopicContents(weir.standalone().connection(Account.READER), NAMES)
                .read(Topics.JOBS).stream()
                        .filter(status -> status.getJobId().equals(job))
                        .reduce((earlier, later) -> later)
                        .map(JobStatus::getHolds)
                        .orElse(List.of());
    }

    private static SlurmRecord record(String job) {
        return slurm.jobs().get(Long.parseLong(job));
    }

    private static void eventually(ThrowingRunnable condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(condition);
    }
}
