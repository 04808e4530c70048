package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a start writes into Slurm's job is Weir's, and goes when the job waits again. */
class SlurmTracesIT extends LiveSlurmTest {
    SlurmTracesIT() {
        super(
                Map.of("SLURM_NODES", "4", "SLURM_MIN_JOB_AGE", "3600", "SLURM_NODE_TIMEOUT", "5"),
                Map.of("start.timeout.ms", "1500"));
    }

    private void assertAsksForNothingByName(String job) {
        JobReport report = drive.job(job);
        assertThat(report.getState()).isEqualTo(JobState.IDLE);
        assertThat(report.getHosts()).isEmpty();
        assertThat(cluster.show(job, "ReqNodeList")).isEqualTo("(null)");
    }

    @Test
    void shouldStartAJobElsewhereAfterTheDeathOfItsNode() {
        String job = cluster.submit("sleep 1000");
        assertThat(drive.start(job, "n4").outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(drive.job(job).getHosts()).as("while it runs").isEmpty();

        cluster.script("kill", "node", "n4");

        await().atMost(NODE_LOSS)
                .untilAsserted(() -> assertThat(drive.job(job).getState()).isEqualTo(JobState.IDLE));
        assertAsksForNothingByName(job);
        assertThat(drive.start(job, "n2").outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(drive.job(job).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n2");

        // The way back: requeued once more, and left to Slurm, it runs wherever there is room.
        drive.carryOut(CommandKind.REQUEUE_JOB, job);
        assertAsksForNothingByName(job);
        cluster.script("start", "node", "n4");
        cluster.run("scontrol", "release", job);
        await().atMost(NODE_LOSS).until(() -> cluster.show(job, "JobState").equals("RUNNING"));
    }

    @Test
    void shouldLeaveNoTraceOfARefusedStart() {
        String first = cluster.submit("sleep 1000", "-n4");
        String second = cluster.submit("sleep 1000", "-n4", "-t", "7");
        drive.start(first, "n1");

        RmAnswer refused = drive.start(second, "n1");

        assertThat(refused.outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertAsksForNothingByName(second);
        assertThat(drive.start(second, "n3").outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(drive.job(second).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n3");
    }

    @Test
    void shouldEndAJobAtItsLimitAsSlurmDoes() {
        String job = cluster.submit("sleep 1000", "-t", "5");
        drive.start(job, "n1");

        drive.carryOut(Drive.command(100, CommandKind.CANCEL_JOB, job), "WALLCLOCK limit reached");

        await().atMost(Duration.ofSeconds(120))
                .untilAsserted(() -> assertThat(cluster.show(job, "JobState")).isEqualTo("TIMEOUT"));
        assertThat(drive.job(job).getReason()).isEqualTo("WALLCLOCK");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n2",
                "-N1",
                "-N2",
                "-N1-3 -n3",
                "-N2-4 -n4",
                "-N2-4",
                "-w n3 -n2",
                "-w n[2-3] -N2",
                "-w n3 -N2",
                "-x n4 -n3"
            })
    void shouldAskForTheSameAfterEachRequeue(String options) {
        String job = cluster.submit("sleep 1000", options.split(" "));
        JobReport before = drive.job(job);
        String[] nodes = options.startsWith("-N2-4")
                ? new String[] {"n1", "n2", "n3"}
                : options.contains("N2") ? new String[] {"n2", "n3"} : new String[] {"n3"};
        for (int restarts = 1; restarts <= 2; restarts++) {
            assertThat(drive.start(job, nodes).outcome()).isEqualTo(CommandOutcome.DONE);
            drive.carryOut(CommandKind.REQUEUE_JOB, job);

            JobReport after = drive.job(job);
            assertThat(after.getState()).isEqualTo(JobState.IDLE);
            assertThat(after.getTasks()).isEqualTo(before.getTasks());
            assertThat(after.getHosts()).isEqualTo(before.getHosts());
            assertThat(after.getRequirements()).isEqualTo(before.getRequirements());
            assertThat(after.getWalltimeSeconds()).isEqualTo(before.getWalltimeSeconds());
        }
    }
}
