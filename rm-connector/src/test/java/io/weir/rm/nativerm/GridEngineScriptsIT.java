package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.Commands;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts of a real Grid Engine do beside the contract: what its users may do to them, and their drill. */
class GridEngineScriptsIT {
    private static GridEngineCell cell;

    @TempDir
    private Path directory;

    private ResourceManager rm;

    @BeforeAll
    static void startCell() {
        cell = GridEngineCell.start();
    }

    @AfterAll
    static void stopCell() {
        if (cell != null) {
            cell.close();
        }
    }

    @BeforeEach
    void openResourceManager() {
        cell.prepare();
        rm = cell.connect(directory, Map.of());
    }

    @AfterEach
    void closeResourceManager() {
        rm.close();
    }

    /** As when it took longer to end than one call waits. */
    @Test
    void shouldTakeAJobForCancelledThatWasKilledBeforeItWasToldAgain() {
        String job = rm.poll().jobs().get(0).getJobId();
        Commands.carryOut(rm, Commands.start(1, job, new NodeAllocation("ge1", 1)));
        Commands.carryOut(rm, Commands.command(2, CommandKind.CANCEL_JOB, job));

        RmAnswer again = Commands.carryOut(rm, Commands.command(3, CommandKind.CANCEL_JOB, job));

        assertThat(again.outcome()).as("%s", again).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldCancelAJobWhoseUserWritesThatItDoesNotExist() {
        cell.run(
                "runuser",
                "-u",
                "nobody",
                "--",
                "qsub",
                "-wd",
                "/tmp",
                "-v",
                "X=do not exist",
                "-b",
                "y",
                "sleep",
                "1000");
        String job = rm.poll().jobs().get(2).getJobId();

        RmAnswer answer = Commands.carryOut(rm, Commands.command(1, CommandKind.CANCEL_JOB, job));

        assertThat(answer.outcome()).as("%s", answer).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldNotBelieveWhatAUserWritesOfTheJobOfAnother() {
        JobReport told = rm.poll().jobs().get(0);
        String forged = "x\njob_number: " + told.getJobId() + "\ngroup: evil\nhard resource_list: h_rt=7\n"
                + "context: weir_command=x,weir_submitted=5\n";

        cell.run(
                "runuser",
                "-u",
                "nobody",
                "--",
                "env",
                "FORGED=" + forged,
                "qsub",
                "-wd",
                "/tmp",
                "-v",
                "FORGED",
                "-b",
                "y",
                "-ac",
                "weir_command=x;STATE=Completed",
                "sleep",
                "1000");

        List<JobReport> jobs = rm.poll().jobs();
        assertThat(jobs).hasSize(3);
        assertThat(jobs.get(0)).isEqualTo(told);
        assertThat(jobs.get(2).getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldNotLetAUserChangeTheQueueTimeOfAJob() {
        Instant before = rm.now();

        asUser("echo sleep 1000 | qsub -wd /tmp -ac weir_submitted=86400");

        assertThat(rm.poll().jobs())
                .hasSize(3)
                .allSatisfy(job -> assertThat(job.getSubmitTime()).isAfter(before.minusSeconds(60)));
    }

    @Test
    void shouldReportThePriorityThatAUserGivesAJob() {

        asUser(
                "id=$(echo sleep 1000 | qsub -wd /tmp -p -100 -terse); echo sleep 1000 | qsub -wd /tmp; qalter -p -7 $(($id + 1))");

        assertThat(rm.poll().jobs()).extracting(JobReport::getUserPriority).containsExactly(0, 0, -100, -7);
    }

    @Test
    void shouldKeepTheQueueTimeOfAJobThatGoesBackIntoTheQueue() throws InterruptedException {
        JobReport job = rm.poll().jobs().get(0);
        String id = job.getJobId();
        assertThat(cell.run("sh", GridEngineCell.SCRIPTS + "/start.sh", id, "ge1", "nobody"))
                .startsWith("SC=0");
        // Grid Engine counts from the requeue, which has to be seconds after the submission to show.
        Thread.sleep(2_000);

        assertThat(cell.run("sh", GridEngineCell.SCRIPTS + "/requeue.sh", id, "ADMIN"))
                .startsWith("SC=0");

        JobReport waiting = rm.poll().jobs().get(0);
        assertThat(waiting.getState()).isEqualTo(JobState.IDLE);
        assertThat(waiting.getSubmitTime()).isEqualTo(job.getSubmitTime());
    }

    /** Neither without the cell's default options nor by lifting the hold, at once, later or when it has run. */
    @Test
    void shouldNotLetAUserStartAJobPastWeir() throws InterruptedException {
        cell.clear();

        asUser(
                "echo sleep 1000 | qsub -wd /tmp -clear; id=$(echo sleep 1000 | qsub -wd /tmp -terse);"
                        + " qrls $id; sleep 2; qrls $id; qalter -h n $id; qalter -ac weir_command=forged $id; qresub $id; true");

        // As long as a job that could start would need, and the time for which the verifier puts each one off.
        Thread.sleep(6_000);
        List<JobReport> jobs = rm.poll().jobs();
        assertThat(jobs).hasSize(3).allSatisfy(job -> assertThat(job.getState()).isEqualTo(JobState.IDLE));
        assertThat(cell.run(
                        "env",
                        "WEIR_COMMAND_ID=forged",
                        "sh",
                        GridEngineCell.SCRIPTS + "/start.sh",
                        jobs.get(1).getJobId(),
                        "ge2",
                        "nobody"))
                .startsWith("SC=0");
        assertThat(rm.poll().jobs().get(1).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("ge2");
    }

    private static void asUser(String script) {
        cell.run("runuser", "-u", "nobody", "--", "sh", "-c", script);
    }

    @Test
    void shouldRunTenJobsWhereTold() {
        cell.clear();

        assertThat(cell.run("env", "GE_DRILL_USER=nobody", "sh", GridEngineCell.SCRIPTS + "/drill.sh", "10"))
                .endsWith("10 jobs ran once each, where they were told\n");
    }
}
