package io.weir.rm.slurm;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.rm.spi.RmContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** The contract, with a real Slurm; every test has a cluster of its own. */
class SlurmContractIT extends ResourceManagerContractTest {
    private @Nullable SlurmTestCluster cluster;

    @BeforeAll
    static void needSlurm() {
        SlurmTestCluster.assumeInstalled();
    }

    @Override
    protected ResourceManager open() {
        if (cluster == null) {
            // Without its database Slurm does not change a job that has been resized.
            boolean resizes = test.contains("Grow");
            Assumptions.assumeTrue(
                    !resizes || Files.isExecutable(Path.of("/usr/sbin/slurmdbd")),
                    "slurmdbd is missing: install it with .ci/install-slurm --db");
            cluster = SlurmTestCluster.start(Map.of("SLURM_NODES", "2", "SLURM_DATABASE", resizes ? "1" : "0"));
            cluster.submit("sleep 1000", "-t", "100");
            cluster.submit("sleep 1000", "-t", "100");
        }
        Map<String, String> settings = settings(cluster);
        if (test.contains("SlowOne")) {
            settings.put("request.timeout.ms", "2000");
        }
        return new SlurmProvider().open(new RmContext(cluster(), "rm", directory, settings));
    }

    /** Returns how the connector reaches the cluster. */
    Map<String, String> settings(SlurmTestCluster running) {
        return running.settings();
    }

    private SlurmTestCluster running() {
        if (cluster == null) {
            throw new IllegalStateException("no cluster yet");
        }
        return cluster;
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

    @AfterEach
    void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }
}
