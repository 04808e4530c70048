package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandOutcome;
import io.weir.topics.AvroTrust;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A real Slurm for all tests of a class, and a connector to it for each of them. Every test leaves an empty queue. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LiveSlurmTest {
    static {
        AvroTrust.install();
    }

    /** How long a node may take to be lost, or to come back. */
    static final Duration NODE_LOSS = Duration.ofSeconds(60);

    private final Map<String, String> site;
    private final Map<String, String> settings;

    SlurmTestCluster cluster;
    SlurmResourceManager rm;
    Drive drive;

    /**
     * Describes the fixture.
     *
     * @param site settings of the script that runs the cluster
     * @param settings of the connector, besides those that say where Slurm is
     */
    LiveSlurmTest(Map<String, String> site, Map<String, String> settings) {
        this.site = site;
        this.settings = settings;
    }

    @BeforeAll
    void startCluster() {
        cluster = SlurmTestCluster.start(site);
    }

    @AfterAll
    void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void open() {
        rm = SlurmResourceManager.open(Drive.CLUSTER, config());
        drive = new Drive(rm);
    }

    @AfterEach
    void close() {
        rm.close();
        cluster.run("scancel", "--user=nobody");
        await().atMost(NODE_LOSS)
                .until(() -> cluster.run("squeue", "--noheader").isBlank());
    }

    SlurmConfig config() {
        Map<String, String> all = cluster.settings();
        all.putAll(settings);
        return SlurmConfig.read(all);
    }

    static void assertDone(RmAnswer answer) {
        assertThat(answer.outcome()).as(String.valueOf(answer)).isEqualTo(CommandOutcome.DONE);
    }
}
