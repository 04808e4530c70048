package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.standalone.Standalone;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Policies of Moab's that Slurm has not, on a real Slurm of two switches: n1 to n4 are "rack1" and have the more memory, n5 to
 * n8 are "rack2". Where jobs run, Slurm says.
 */
@NullUnmarked
class SlurmPoliciesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** Nodes of the first switch that are not reserved. */
    private static final List<String> FIRST = List.of("n1", "n2", "n3");

    private static final List<String> SECOND = List.of("n5", "n6", "n7", "n8");

    private static final String ON_ONE_SWITCH = "--comment=x=nodeset=ONEOF:FEATURE:rack1,rack2";

    private static final String POLICY = """
            NODEALLOCATIONPOLICY MINRESOURCE
            NODESETISOPTIONAL FALSE
            SRCFG[staff] HOSTLIST=n4 USERLIST=root PERIOD=INFINITY
            """;

    @TempDir
    static Path data;

    private static SlurmSite slurm;
    private static Standalone weir;

    @BeforeAll
    static void startEverything() {
        slurm = SlurmSite.start(Map.of("SLURM_NODES", "8", "SLURM_SITE", "mixed", "SLURM_MIN_JOB_AGE", "3600"));
        weir = slurm.startWeir(data, slurm.pokes(), POLICY);
        // Until it is in force, any node may be taken.
        eventually(() -> assertThat(reservations()).contains("ReservationName=weir-staff"));
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

    @AfterEach
    void cancelAll() {
        slurm.run(List.of("scancel", "--user=nobody"));
        eventually(() -> assertThat(slurm.run(List.of("squeue", "--noheader"))).isBlank());
    }

    @Test
    void shouldTakeTheNodeWithTheLeastMemoryThatWillDo() {
        assertThat(nodesOf(running("-n1"))).isSubsetOf(SECOND);
        assertThat(nodesOf(running("-n1", "--mem=5000"))).isSubsetOf(FIRST);
    }

    @Test
    void shouldKeepJobsOnTheirSwitch() {
        String first = running("-N2", "--exclusive");
        assertThat(nodesOf(first)).hasSize(2).isSubsetOf(SECOND);
        // Two nodes are left there, and three on the other switch.
        String second = running("-N3", "--exclusive", ON_ONE_SWITCH);
        assertThat(nodesOf(second)).containsExactlyElementsOf(FIRST);

        slurm.run(List.of("scancel", second));
        String third = running("-N2", "--exclusive", "-C", "rack1");
        // Three nodes are free, but not on one switch.
        String waits = slurm.submit("sleep 1000", "-N3", "-t60", "--exclusive", ON_ONE_SWITCH);
        String other = running("-n1", "-t1");
        assertThat(nodesOf(other)).hasSize(1);
        assertThat(slurm.jobs().get(Long.parseLong(waits)).state()).isEqualTo("PENDING");

        slurm.run(List.of("scancel", third, other));
        eventually(() -> assertThat(nodesOf(waits)).containsExactlyElementsOf(FIRST));
    }

    @Test
    void shouldKeepOthersOffTheNodesOfAStandingReservation() {
        assertThat(reservations()).contains("Nodes=n4 ").contains("Users=root");

        String forbidden = slurm.submit("sleep 1000", "-N4", "-t60", "-C", "rack1");
        assertThat(nodesOf(running("-N3", "--exclusive", "-C", "rack1"))).containsExactlyElementsOf(FIRST);
        assertThat(slurm.jobs().get(Long.parseLong(forbidden)).state()).isEqualTo("PENDING");

        String own = slurm.run(List.of(
                        "sbatch", "--parsable", "-D", "/tmp", "-o", "/dev/null", "-C", "rack1", "--wrap", "true"))
                .strip();
        eventually(() -> assertThat(nodesOf(own)).containsExactly("n4"));
        eventually(
                () -> assertThat(slurm.jobs().get(Long.parseLong(own)).state()).isEqualTo("COMPLETED"));
    }

    /** Submits a job of an ordinary user and waits until it runs. */
    private static String running(String... options) {
        List<String> all = new ArrayList<>(List.of("-t60"));
        all.addAll(List.of(options));
        String job = slurm.submit("sleep 1000", all.toArray(String[]::new));
        eventually(
                () -> assertThat(slurm.jobs().get(Long.parseLong(job)).state()).isEqualTo("RUNNING"));
        return job;
    }

    private static TreeSet<String> nodesOf(String job) {
        return slurm.jobs().get(Long.parseLong(job)).nodes();
    }

    private static String reservations() {
        return slurm.run(List.of("scontrol", "-o", "show", "reservation"));
    }

    private static void eventually(ThrowingRunnable condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(condition);
    }
}
