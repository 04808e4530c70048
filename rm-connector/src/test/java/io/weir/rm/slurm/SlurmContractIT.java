package io.weir.rm.slurm;

import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.rm.spi.RmContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
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
            cluster = SlurmTestCluster.start(Map.of("SLURM_NODES", "2"));
            cluster.submit("sleep 1000", "-t", "100");
            cluster.submit("sleep 1000", "-t", "100");
        }
        return new SlurmProvider().open(new RmContext(cluster(), "rm", directory, cluster.settings()));
    }

    @Override
    protected String type() {
        return SlurmProvider.TYPE;
    }

    @AfterEach
    void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }
}
