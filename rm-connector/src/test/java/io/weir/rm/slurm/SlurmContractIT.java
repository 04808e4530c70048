package io.weir.rm.slurm;

import static org.awaitility.Awaitility.await;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.rm.spi.RmContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** The contract, with a real Slurm that is cleared before each test. */
class SlurmContractIT extends ResourceManagerContractTest {
    /** Without its database Slurm does not change a job that has been resized. */
    private static final boolean RESIZES = Files.isExecutable(Path.of("/usr/sbin/slurmdbd"));

    private static @Nullable SlurmTestCluster cluster;

    private @Nullable Path told;

    @BeforeAll
    static void needSlurm() {
        SlurmTestCluster.assumeInstalled();
    }

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }

    @Override
    protected ResourceManager open() {
        if (told == null) {
            Assumptions.assumeTrue(
                    RESIZES || !test.contains("Grow") && !test.contains("_NODES"),
                    "slurmdbd is missing: install it with .ci/install-slurm --db");
            prepare();
        }
        Map<String, String> settings = settings(running());
        if (test.contains("SlowOne")) {
            settings.put("request.timeout.ms", "2000");
        }
        return new SlurmProvider().open(new RmContext(cluster(), "rm", directory, settings));
    }

    private void prepare() {
        if (cluster == null) {
            cluster = SlurmTestCluster.start(Map.of("SLURM_NODES", "2", "SLURM_DATABASE", RESIZES ? "1" : "0"));
        } else {
            clear(cluster);
        }
        told = cluster.directory().resolve("told");
        cluster.run("install", "-o", "nobody", "/dev/null", told.toString());
        cluster.submit(
                "trap 'echo told >>%1$s' USR1; echo ready >>%1$s; sleep 1000 & while ! wait $!; do :; done"
                        .formatted(told),
                "-t",
                "100");
        cluster.submit("sleep 1000", "-t", "100");
    }

    private static void clear(SlurmTestCluster cluster) {
        cluster.run("scancel", "--user=nobody");
        names(cluster).forEach(name -> cluster.run("scontrol", "delete", "ReservationName=" + name));
        cluster.run("scontrol", "update", "NodeName=n[1-2]", "AvailableFeatures=test", "ActiveFeatures=test");
        cluster.run("sinfo", "--noheader", "--Node", "--states=drain,down", "--format=%N")
                .lines()
                .forEach(node -> cluster.run("scontrol", "update", "NodeName=" + node, "State=RESUME"));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> cluster.run("squeue", "--noheader").isBlank()
                        && cluster.run("sinfo", "--noheader", "--Node", "--format=%T")
                                .equals("idle\nidle\n"));
    }

    private static List<String> names(SlurmTestCluster cluster) {
        return cluster.run("scontrol", "--oneliner", "show", "reservations")
                .lines()
                .filter(line -> line.startsWith("ReservationName="))
                .map(line -> line.substring("ReservationName=".length(), line.indexOf(' ')))
                .toList();
    }

    /** Returns how the connector reaches the cluster. */
    Map<String, String> settings(SlurmTestCluster running) {
        return running.settings();
    }

    private static SlurmTestCluster running() {
        if (cluster == null) {
            throw new IllegalStateException("no cluster yet");
        }
        return cluster;
    }

    @Override
    protected List<String> toldTo(String job) {
        try {
            return told == null ? List.of() : Files.readAllLines(told);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected List<String> reservations() {
        return names(running());
    }

    @Override
    protected String type() {
        return SlurmProvider.TYPE;
    }

    @Override
    protected void lose() {
        running().script("stop", "rest");
    }

    @Override
    protected void restore() {
        running().script("start", "rest");
    }

    @Override
    protected void slowDown() {
        running().script("pause", "controller");
    }

    @Override
    protected void speedUp() {
        running().script("resume", "controller");
    }
}
