package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.standalone.Standalone;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What fails in a day's work of a cluster, under load: nodes die, are drained and come back, slurmctld and slurmdbd are
 * restarted, a reservation of Slurm's begins and ends, licences run out. Slurm alone is asked whether a job waited that could
 * have run, and whether each ran to its end once. {@code -Dslurm.drill.rounds=20} goes on for longer, {@code -Dslurm.drill.seed}
 * has other nodes fail.
 */
@NullUnmarked
class SlurmDrillIT {
    private static final Logger log = LoggerFactory.getLogger(SlurmDrillIT.class);
    private static final int ROUNDS = Integer.getInteger("slurm.drill.rounds", 1);
    private static final long SEED = Long.getLong("slurm.drill.seed", 1);
    /** A requeued job may not start for ten seconds, and a controller that was started waits for its nodes. */
    private static final int LOOKS = Integer.getInteger("slurm.drill.looks", 40);

    /** As Slurm itself does: jobs of failed nodes are requeued, and a node that is back is used at once. */
    private static final String POLICY = "NODEALLOCRESFAILUREPOLICY REQUEUE\nNODEFAILURERESERVETIME 0\n";

    private static final int NODES = 6;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path data;

    private final Random random = new Random(SEED);
    private final List<String> submitted = new ArrayList<>();
    private SlurmSite slurm;

    @Test
    void shouldLeaveNoJobWaitingThatCouldRunAndRunEachOnce() {
        SlurmSite.assumeInstalled();
        for (String file : List.of("/usr/sbin/slurmdbd", "/usr/sbin/mariadbd")) {
            Assumptions.assumeTrue(
                    Files.isExecutable(Path.of(file)), file + " is missing: install it with .ci/install-slurm --db");
        }
        SoftAssertions seen = new SoftAssertions();
        try (SlurmSite site = SlurmSite.start(Map.of(
                        "SLURM_NODES", Integer.toString(NODES),
                        "SLURM_CPUS", "2",
                        "SLURM_DATABASE", "1",
                        "SLURM_NODE_TIMEOUT", "10",
                        "SLURM_MIN_JOB_AGE", "7200",
                        "SLURM_EXTRA", "Licenses=solver:2"));
                Standalone weir = site.startWeir(data, site.pokes(), POLICY)) {
            assertThat(weir.isHealthy()).isTrue();
            slurm = site;
            try (SlurmWatch watch = new SlurmWatch(site, LOOKS)) {
                for (int round = 1; round <= ROUNDS; round++) {
                    round(round);
                    log.info(
                            "Round {}: {} jobs, {} looks, a job could run at {} of them in a row at most",
                            round,
                            submitted.size(),
                            watch.looks(),
                            watch.mostInARow());
                }
                eventually(() -> slurm.run(List.of("squeue", "--noheader")).isBlank());
                seen.assertThat(watch.findings()).isEmpty();
                seen.assertThat(watch.looksWithoutLicence())
                        .as("licences ran out")
                        .isPositive();
            }
            eventuallyRegistered();
            endings()
                    .forEach((job, states) -> seen.assertThat(states)
                            .as("runs of job %s", job)
                            .containsOnlyOnce("COMPLETED")
                            .isSubsetOf("COMPLETED", "REQUEUED", "NODE_FAIL"));
            seen.assertThat(endings().keySet()).containsExactlyInAnyOrderElementsOf(submitted);
        }
        seen.assertAll();
    }

    /** The number names the reservation, as Slurm may still know that of the round before. */
    private void round(int number) {
        List<Integer> nodes =
                random.ints(1, NODES + 1).distinct().limit(3).boxed().toList();
        String dying = "n" + nodes.get(0);
        String drained = "n" + nodes.get(1);
        String reserved = "n" + nodes.get(2);
        submit(24);
        eventually(() -> state(dying).matches("(ALLOCATED|MIXED).*"));

        slurm.script("kill", "node", dying);
        slurm.run(List.of("scontrol", "update", "NodeName=" + drained, "State=DRAIN", "Reason=drill"));
        submit(12);
        eventually(() -> state(dying).startsWith("DOWN"));
        eventually(() -> state(drained).startsWith("IDLE+DRAIN"));

        slurm.run(List.of(
                "scontrol",
                "create",
                "reservation",
                "ReservationName=service" + number,
                "StartTime=now",
                "Duration=1",
                "Users=root",
                "Flags=MAINT,IGNORE_JOBS",
                "Nodes=" + reserved));
        submit(12);
        // A job in whose registration slurmctld stops can never be changed again, by anyone.
        eventuallyRegistered();
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        slurm.script("stop", "controller");
        slurm.script("start", "controller");
        eventually(() -> !state(reserved).isEmpty());
        slurm.script("stop", "database");
        submit(12);

        slurm.script("start", "node", dying);
        resume(drained);
        slurm.script("start", "database");
        submit(12);
        eventually(() -> List.of(dying, drained, reserved).stream()
                .allMatch(node -> state(node).matches("IDLE|MIXED|ALLOCATED")));
        submit(12);
    }

    /** Puts a drained node back; a controller that was just started refuses that until it has heard of the node. */
    private void resume(String node) {
        eventually(() -> {
            slurm.run(List.of("sh", "-c", "scontrol update NodeName=" + node + " State=RESUME 2>/dev/null || true"));
            return !state(node).contains("DRAIN");
        });
    }

    /** Submits jobs of a processor and a few seconds; every fourth needs one of two licences. */
    private void submit(int jobs) {
        for (int i = 0; i < jobs; i++) {
            String script = "sleep " + (2 + random.nextInt(8));
            String[] options = i % 4 == 3 ? new String[] {"-n1", "-t5", "-L", "solver:1"} : new String[] {"-n1", "-t5"};
            // A controller that was just started is sometimes too busy for sbatch.
            await().atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> submitted.add(slurm.submit(script, options)));
        }
    }

    /** Returns the state of a node as Slurm shows it, with its flags; empty while Slurm does not answer. */
    private String state(String node) {
        return slurm.run(List.of(
                        "sh",
                        "-c",
                        "scontrol -o show node " + node + " 2>/dev/null | sed -n 's/.* State=\\([^ ]*\\).*/\\1/p'"))
                .strip();
    }

    /** Returns how each run of each job ended, by Slurm's accounting. */
    private Map<String, List<String>> endings() {
        Map<String, List<String>> endings = new TreeMap<>();
        slurm.run(List.of("sacct", "-a", "-X", "-D", "-n", "-P", "-S", "now-1day", "-o", "JobID,State"))
                .lines()
                .map(line -> line.split("\\|", -1))
                .forEach(fields -> endings.computeIfAbsent(fields[0], job -> new ArrayList<>())
                        .add(fields[1]));
        return endings;
    }

    private void eventuallyRegistered() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            List<String> missing = new ArrayList<>(submitted);
            missing.removeAll(endings().keySet());
            assertThat(missing)
                    .as(() -> slurm.run(List.of("scontrol", "show", "job", missing.get(0))))
                    .isEmpty();
        });
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(condition);
    }
}
