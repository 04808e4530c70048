package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.spi.Commands;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.ResourceManagerContractTest;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmContext;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract over the Grid Engine scripts, with a real Grid Engine of two hosts; and the drill that comes with them. */
class GridEngineContractIT extends ResourceManagerContractTest {
    private static final Map<NativeUrl, String> FILES = Map.ofEntries(
            Map.entry(NativeUrl.CLUSTER_QUERY, "nodes.sh"),
            Map.entry(NativeUrl.WORKLOAD_QUERY, "jobs.sh"),
            Map.entry(NativeUrl.SYSTEM_QUERY, "system.sh"),
            Map.entry(NativeUrl.JOB_START, "start.sh"),
            Map.entry(NativeUrl.JOB_CANCEL, "cancel.sh"),
            Map.entry(NativeUrl.JOB_REQUEUE, "requeue.sh"),
            Map.entry(NativeUrl.JOB_SUSPEND, "suspend.sh"),
            Map.entry(NativeUrl.JOB_RESUME, "resume.sh"),
            Map.entry(NativeUrl.JOB_MODIFY, "modify.sh"),
            Map.entry(NativeUrl.NODE_MODIFY, "nodes-modify.sh"));

    private static GridEngineCell cell;

    private boolean prepared;

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

    @Override
    protected ResourceManager open() {
        if (!prepared) {
            cell.clear();
            cell.submit("sleep 1000");
            cell.submit("sleep 1000");
            prepared = true;
        }
        Map<String, String> settings = settings();
        if (test.contains("SlowOne")) {
            settings.put("timeout.seconds", "5");
        }
        return new NativeProvider().open(new RmContext(cluster(), "rm", directory, settings));
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        FILES.forEach((url, file) -> settings.put(url.key(), "exec://" + cell.script(file)));
        // The load of a real machine changes between two polls, in which nothing else did.
        settings.put("environment", "GE_LOAD=no");
        return settings;
    }

    @Override
    protected void lose() {
        cell.cell("stop");
    }

    @Override
    protected void restore() {
        cell.cell("start");
    }

    @Override
    protected void slowDown() {
        cell.cell("pause");
    }

    @Override
    protected void speedUp() {
        cell.cell("resume");
    }

    @Override
    protected Duration patience() {
        return Duration.ofSeconds(60);
    }

    @Override
    protected String type() {
        return NativeProvider.TYPE;
    }

    /** Grid Engine has no features of that kind, and no way to give a running job another node. */
    @Override
    protected Set<CommandKind> refused() {
        return Set.of(CommandKind.MODIFY_NODE, CommandKind.ADD_NODES, CommandKind.REMOVE_NODES, CommandKind.SIGNAL_JOB);
    }

    /** As when it took longer to end than one call waits. */
    @Test
    void shouldTakeAJobForCancelledThatWasKilledBeforeItWasToldAgain() {
        ResourceManager rm = open();
        String job = rm.poll().jobs().get(0).getJobId();
        Commands.carryOut(rm, Commands.start(1, job, new NodeAllocation("ge1", 1)));
        Commands.carryOut(rm, Commands.command(2, CommandKind.CANCEL_JOB, job));

        RmAnswer again = Commands.carryOut(rm, Commands.command(3, CommandKind.CANCEL_JOB, job));

        assertThat(again.outcome()).as("%s", again).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldCancelAJobWhoseUserWritesThatItDoesNotExist() {
        ResourceManager rm = open();
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
        ResourceManager rm = open();
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
        ResourceManager rm = open();
        Instant before = rm.now();

        asUser("echo sleep 1000 | qsub -wd /tmp -ac weir_submitted=86400");

        assertThat(rm.poll().jobs())
                .hasSize(3)
                .allSatisfy(job -> assertThat(job.getSubmitTime()).isAfter(before.minusSeconds(60)));
    }

    @Test
    void shouldReportThePriorityThatAUserGivesAJob() {
        ResourceManager rm = open();

        asUser(
                "id=$(echo sleep 1000 | qsub -wd /tmp -p -100 -terse); echo sleep 1000 | qsub -wd /tmp; qalter -p -7 $(($id + 1))");

        assertThat(rm.poll().jobs()).extracting(JobReport::getUserPriority).containsExactly(0, 0, -100, -7);
    }

    @Test
    void shouldKeepTheQueueTimeOfAJobThatGoesBackIntoTheQueue() throws InterruptedException {
        ResourceManager rm = open();
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

        ResourceManager rm = new NativeProvider().open(new RmContext(cluster(), "rm", directory, settings()));
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
