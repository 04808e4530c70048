package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.CommandOutcome;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that ask for nodes of one switch, on a Slurm of two. */
class SlurmSwitchesIT extends LiveSlurmTest {
    private static final String ON_ONE = "nodeset:ONEOF:FEATURE:switch/left,switch/right;nodesetisoptional:FALSE";

    SlurmSwitchesIT() {
        super(
                Map.of(
                        "SLURM_NODES",
                        "8",
                        "SLURM_SITE",
                        "mixed",
                        "SLURM_EXTRA",
                        "TopologyPlugin=topology/tree",
                        "SLURM_MIN_JOB_AGE",
                        "3600"),
                Map.of("start.timeout.ms", "5000"));
    }

    @Test
    void shouldTellTheSwitchesOfNodes() {
        assertThat(drive.node("n2").getFeatures()).containsExactly("fast", "rack1", "switch/left", "test");
        assertThat(drive.node("n5").getFeatures()).contains("switch/right");
    }

    @Test
    void shouldStartAJobOnNodesOfOneSwitch() {
        String job = cluster.submit("sleep 1000", "-N2", "--switches=1");
        assertThat(drive.job(job).getExtension()).startsWith(ON_ONE);
        assertThat(drive.start(job, "n5", "n6").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldTakeNodesOfSeveralSwitchesForAJobThatHasWaited() {
        String job = cluster.submit("sleep 1000", "-N2", "--switches=1@00:00:15");
        assertThat(drive.job(job).getExtension()).startsWith(ON_ONE);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(drive.job(job).getExtension()).isNull());
        assertThat(drive.start(job, "n4", "n5").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldMakeAnyNumberOfMoreThanOne() {
        String job = cluster.submit("sleep 1000", "-N3", "--switches=2");
        assertThat(drive.job(job).getExtension()).isNull();
        assertThat(drive.start(job, "n3", "n4", "n5").outcome()).isEqualTo(CommandOutcome.DONE);
    }
}
