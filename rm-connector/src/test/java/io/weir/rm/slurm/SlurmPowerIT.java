package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that Slurm switches off to save power, and on for jobs. */
class SlurmPowerIT extends LiveSlurmTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private long number = 9_000;

    SlurmPowerIT() {
        super(Map.of("SLURM_NODES", "2", "SLURM_POWER", "1"), Map.of());
    }

    private RmAnswer power(String node, String state) {
        RmCommand command = RmCommand.newBuilder(Drive.command(++number, CommandKind.MODIFY_NODE, ""))
                .setJobId(null)
                .setObjectId(node)
                .setArguments(List.of(new NameValue("power", state)))
                .build();
        return drive.carryOut(command, "test");
    }

    @Test
    void shouldStartAJobOnANodeThatIsSwitchedOff() {
        assertDone(power("n2", "OFF"));
        await().atMost(PATIENCE).untilAsserted(() -> {
            NodeReport off = drive.node("n2");
            assertThat(off.getState()).isEqualTo(NodeState.IDLE);
            assertThat(off.getPoweredOn()).isFalse();
            assertThat(off.getSwitchedOnForJobs()).isTrue();
        });
        assertThat(drive.node("n2").getProcs()).isEqualTo(4);
        assertThat(drive.node("n2").getMemoryMb()).isEqualTo(8000);
        String job = cluster.submit("sleep 1000", "-n2");

        assertDone(drive.start(job, "n2"));

        assertThat(drive.job(job).getState()).isEqualTo(JobState.RUNNING);
        assertThat(drive.node("n2").getState()).isEqualTo(NodeState.IDLE);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.show(job, "JobState")).isEqualTo("RUNNING"));
        assertThat(drive.node("n2").getPoweredOn()).isTrue();
    }

    @Test
    void shouldSwitchANodeOn() {
        assertDone(power("n1", "OFF"));
        await().atMost(PATIENCE).until(() -> drive.node("n1").getSwitchedOnForJobs());

        assertDone(power("n1", "ON"));

        await().atMost(PATIENCE).until(() -> drive.node("n1").getPoweredOn());
        assertThat(power("n1", "RESET").outcome()).isEqualTo(CommandOutcome.REFUSED);
    }
}
