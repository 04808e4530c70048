package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.rm.runtime.command.Backlog;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What breaks: nodes, the controller, the REST service, the connector between an effect and its result. */
class SlurmFailureIT extends LiveSlurmTest {
    private static final int KILLS = Integer.getInteger("slurm.kills", 3);
    /** Slurm's accounting is the judge of what ran, where its database is installed. */
    private static final boolean ACCOUNTING = Files.isExecutable(Path.of("/usr/sbin/slurmdbd"));

    SlurmFailureIT() {
        super(
                Map.of(
                        "SLURM_NODES",
                        "3",
                        "SLURM_MIN_JOB_AGE",
                        "3600",
                        "SLURM_NODE_TIMEOUT",
                        "5",
                        "SLURM_DATABASE",
                        ACCOUNTING ? "1" : "0"),
                Map.of("request.timeout.ms", "2000"));
    }

    @BeforeEach
    void awaitNodes() {
        await().atMost(NODE_LOSS)
                .untilAsserted(() -> assertThat(drive.poll().nodes())
                        .extracting(NodeReport::getState)
                        .containsOnly(NodeState.IDLE));
    }

    private void assertRuns(String job, String node) {
        assertThat(drive.job(job).getState()).isEqualTo(JobState.RUNNING);
        assertThat(drive.job(job).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly(node);
    }

    @Test
    void shouldTellLossOfNodeAndKeepItsJobsFromRestarting() {
        String requeued = cluster.submit("sleep 1000");
        String lost = cluster.submit("sleep 1000", "--no-requeue");
        String kept = cluster.submit("sleep 1000", "--no-kill", "-N2");
        drive.start(requeued, "n2");
        drive.start(lost, "n2");
        drive.start(kept, "n1", "n2");
        assertRuns(requeued, "n2");

        cluster.script("kill", "node", "n2");

        await().atMost(NODE_LOSS)
                .untilAsserted(() -> assertThat(drive.node("n2").getState()).isEqualTo(NodeState.DOWN));
        await().atMost(NODE_LOSS)
                .untilAsserted(() -> assertThat(drive.job(requeued).getState()).isEqualTo(JobState.IDLE));
        assertThat(drive.job(lost).getState()).isEqualTo(JobState.FAILED);
        assertThat(drive.job(lost).getReason()).contains("NODE_FAIL");
        assertRuns(kept, "n1");
        assertThat(drive.carryOut(CommandKind.CANCEL_JOB, kept).outcome()).isEqualTo(CommandOutcome.DONE);

        cluster.script("start", "node", "n2");
        await().atMost(NODE_LOSS)
                .untilAsserted(() -> assertThat(drive.node("n2").getState()).isEqualTo(NodeState.IDLE));
        assertThat(cluster.show(requeued, "JobState")).isEqualTo("PENDING");
        assertThat(drive.start(requeued, "n3").outcome()).isEqualTo(CommandOutcome.DONE);
        assertRuns(requeued, "n3");
        assertThat(cluster.show(requeued, "Restarts")).isEqualTo("1");
    }

    @Test
    void shouldWaitForLostControllerAndStartNothingTwice() throws InterruptedException {
        String first = cluster.submit("sleep 1000");
        String second = cluster.submit("sleep 1000");
        drive.start(first, "n1");
        awaitRegistered(second);
        awaitSaved(first);
        cluster.script("kill", "controller");

        assertThatThrownBy(rm::poll).isInstanceOf(RetriableRmException.class);
        Thread back = new Thread(() -> {
            await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
            cluster.script("start", "controller");
        });
        back.start();
        RmAnswer answer = drive.start(second, "n3");
        back.join();

        assertThat(answer.outcome()).as("%s", answer).isEqualTo(CommandOutcome.DONE);
        assertRuns(first, "n1");
        assertRuns(second, "n3");
        assertThat(cluster.show(first, "Restarts")).isEqualTo("0");
        assertThat(cluster.show(second, "Restarts")).isEqualTo("0");
    }

    /** A kill while slurmdbd is asked to register a job can cost the job its registration, and then nobody can change it. */
    private void awaitRegistered(String job) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !ACCOUNTING
                        || cluster.run("sacct", "-X", "-n", "-P", "-j", job, "-o", "JobID")
                                .strip()
                                .equals(job));
    }

    /** What Slurm has not written yet, it forgets in a kill: that is Slurm's, and not what is tested here. */
    private void awaitSaved(String job) {
        Path state = cluster.directory().resolve("state/job_state");
        Instant now = Instant.now();
        // It may have written all that happened, and writes again only when more has.
        cluster.run("scontrol", "update", "JobId=" + job, "Comment=saved");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.exists(state)
                        && Files.getLastModifiedTime(state).toInstant().isAfter(now));
    }

    @Test
    void shouldGoOnAfterRestServiceWasRestarted() {
        String job = cluster.submit("sleep 1000");
        cluster.script("kill", "rest");
        assertThatThrownBy(rm::poll).isInstanceOf(RetriableRmException.class);

        cluster.script("start", "rest");

        assertThat(drive.start(job, "n1").outcome()).isEqualTo(CommandOutcome.DONE);
        assertRuns(job, "n1");
    }

    @Test
    void shouldStartOnceWhenConnectorIsKilledBetweenEffectAndResult() throws IOException, InterruptedException {
        Random random = new Random(4);
        for (int i = 1; i <= KILLS; i++) {
            Path log = cluster.directory().resolve("ran-" + i);
            cluster.run("install", "-o", "nobody", "/dev/null", log.toString());
            String job = cluster.submit("echo $SLURM_JOB_NODELIST >>" + log + "; sleep 1000");
            RmCommand start = Drive.command(i, CommandKind.START_JOB, job, new NodeAllocation("n1", 1));
            killWhileStarting(start, i % 2 == 0 ? random.nextInt(1500) : random.nextInt(60));

            try (SlurmResourceManager next = SlurmResourceManager.open(Drive.CLUSTER, config())) {
                Drive again = new Drive(next, new Backlog(i - 1, List.of(start), i));
                again.drain();

                assertThat(again.answer(start).outcome()).isEqualTo(CommandOutcome.DONE);
                assertThat(again.job(job).getState()).isEqualTo(JobState.RUNNING);
                assertThat(again.job(job).getStartTime())
                        .isEqualTo(again.answer(start).effectTime());
                await().untilAsserted(() -> assertThat(Files.readAllLines(log)).containsExactly("n1"));
                assertThat(cluster.show(job, "Restarts")).isEqualTo("0");
                again.carryOut(CommandKind.CANCEL_JOB, job);
            }
            if (ACCOUNTING) {
                assertAccountedOnce(job);
            }
        }
    }

    /** With duplicates accounting has a line for every time a job was put on nodes. */
    private void assertAccountedOnce(String job) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(
                                cluster.run("sacct", "-X", "-D", "-n", "-P", "-j", job, "-o", "JobID,NodeList,State")
                                        .lines())
                        .singleElement()
                        .asString()
                        .startsWith(job + "|n1|CANCELLED"));
    }

    private void killWhileStarting(RmCommand start, int millis) throws IOException, InterruptedException {
        Path ready = cluster.directory().resolve("ready-" + start.getNumber());
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SlurmStartMain.class.getName(),
                        cluster.directory().resolve("run/rest.sock").toString(),
                        cluster.directory().resolve("slurm.conf").toString(),
                        Long.toString(start.getNumber()),
                        String.valueOf(start.getJobId()),
                        start.getAllocation().get(0).getNodeId(),
                        ready.toString())
                .redirectErrorStream(true)
                .redirectOutput(cluster.directory().resolve("start.log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(ready));
        process.waitFor(millis, TimeUnit.MILLISECONDS);
        process.destroyForcibly().waitFor();
    }
}
