package io.weir.rm.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.spi.Commands;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmException;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.trace.TraceJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedClusterTest {
    private static final ClusterShape SHAPE = new ClusterShape(2, 4);

    private final List<LedgerEntry> ledger =
            new ArrayList<>(List.of(LedgerEntry.event(0, Effect.OPEN, "", "nodes=2 procs=4 jobs=3")));
    private long commands;

    /** Job 1: 4 processors, runs 100 of 200 s. Job 2: 4, runs 500, cut at 50. Job 3: 2, submitted at 100. */
    private static final Workload WORKLOAD =
            new Workload(1_000, List.of(job(1, 0, 4, 200, 100), job(2, 0, 4, 50, 500), job(3, 100, 2, 60, 60)));

    @Test
    void shouldEndJobsByThemselvesAndAtTheirLimit() {
        SimulatedCluster cluster = cluster("");
        start(cluster, "1", "n0001:4");
        start(cluster, "2", "n0002:4");

        cluster.advanceTo(cluster.nextInstant());
        assertThat(cluster.now()).isEqualTo(50);
        assertThat(report(cluster, "2")).satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.CANCELLED);
            assertThat(job.getReason()).isEqualTo("WALLCLOCK");
            assertThat(job.getEndTime()).isEqualTo(Instant.ofEpochSecond(1_050));
        });

        cluster.advanceTo(cluster.nextInstant());
        assertThat(cluster.now()).isEqualTo(100);
        assertThat(report(cluster, "1")).satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.COMPLETED);
            assertThat(job.getExitCode()).isZero();
            assertThat(job.getAllocation()).isEmpty();
        });
    }

    @Test
    void shouldLetJobsEndBeforeOthersAreSubmittedAtTheSameInstant() {
        SimulatedCluster cluster = cluster("");
        start(cluster, "1", "n0001:4");
        cluster.advanceTo(100);

        assertThat(ledger).extracting(LedgerEntry::effect).endsWith(Effect.END, Effect.SUBMIT);
        assertThat(start(cluster, "3", "n0001:2").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldRefuseOverCommitment() {
        SimulatedCluster cluster = cluster("");
        start(cluster, "1", "n0001:2", "n0002:2");

        assertThat(start(cluster, "2", "n0001:3", "n0002:1").message())
                .isEqualTo("node n0001 has 2 free processors, 3 are wanted");
        assertThat(start(cluster, "2", "n0001:2").message())
                .isEqualTo("the allocation has 2 processors, the job asked for 4");
        assertThat(start(cluster, "2", "n0001:1", "n0001:1", "n0002:2").message())
                .contains("named twice");
        assertThat(start(cluster, "2", "n0009:4").message()).isEqualTo("there is no node n0009");
        assertThat(start(cluster, "1", "n0001:2", "n0002:2").message()).isEqualTo("job 1 is RUNNING");
        assertThat(start(cluster, "9", "n0001:2").message()).isEqualTo("there is no job 9");
        assertThat(start(cluster, "2", "n0001:2", "n0002:2").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldGiveNodesWhole() {
        SimulatedCluster cluster = cluster("");
        cluster.advanceTo(100);

        assertThat(start(cluster, "3", "n0001:4").outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(start(cluster, "1", "n0001:1", "n0002:3").message())
                .isEqualTo("node n0001 has 0 free processors, 1 are wanted");
        assertThat(LedgerReport.of(ledger).problems()).isEmpty();
    }

    @Test
    void shouldRefuseMoreNodesThanProcessorsAskedFor() {
        SimulatedCluster cluster = new SimulatedCluster(
                "c",
                SHAPE,
                new Workload(0, List.of(job(1, 0, 1, 60, 60))),
                FailureScript.NONE,
                false,
                NodeFailureEffect.KEEP_JOBS,
                ledger::add);
        cluster.settle();

        assertThat(start(cluster, "1", "n0001:4", "n0002:4").message())
                .isEqualTo("the allocation has 2 nodes, the job asked for 1 processors");
    }

    @Test
    void shouldNameUserGroupAndClassAsTheTraceDoes() {
        TraceJob named = new TraceJob("7", 7, 0, 0, 1, 60, 60, 3, 5, 2);
        JobReport report = new SimulatedJob(named, "c", 0).report();

        assertThat(report.getName()).isEqualTo("job7");
        assertThat(report.getUser()).isEqualTo("u3");
        assertThat(report.getGroup()).isEqualTo("g5");
        assertThat(report.getJobClass()).isEqualTo("q2");
    }

    @Test
    void shouldLetJobsRunOnWithoutANodeThatGoesDown() {
        SimulatedCluster cluster = cluster("AT +30 NODE n0001 DOWN FOR 60");
        start(cluster, "1", "n0001:2", "n0002:2");
        cluster.advanceTo(30);

        assertThat(report(cluster, "1").getState()).isEqualTo(JobState.RUNNING);
        assertThat(report(cluster, "1").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n0001", "n0002");
        assertThat(cluster.nodeReports().get(0).getState()).isEqualTo(NodeState.DOWN);
        assertThat(start(cluster, "2", "n0001:2", "n0002:2").message()).isEqualTo("node n0001 is down");

        cluster.execute(RmCommand.newBuilder(Commands.start(++commands, "1", allocation("n0001:2")))
                .setKind(CommandKind.REMOVE_NODES)
                .build());
        assertThat(report(cluster, "1").getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly("n0002");
        cluster.advanceTo(90);
        assertThat(start(cluster, "2", "n0001:4").outcome()).isEqualTo(CommandOutcome.DONE);
        cluster.advanceTo(100);
        assertThat(report(cluster, "1").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(LedgerReport.of(ledger).problems()).isEmpty();
    }

    @Test
    void shouldFailJobsOfANodeThatGoesDownIfSoSet() {
        SimulatedCluster cluster = machine("AT +30 NODE n0001 DOWN FOR 10", NodeFailureEffect.END_JOBS);
        cluster.settle();
        start(cluster, "1", "n0001:2", "n0002:2");
        cluster.advanceTo(30);

        assertThat(report(cluster, "1")).satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.FAILED);
            assertThat(job.getReason()).isEqualTo("NODE_FAIL");
            assertThat(job.getEndTime()).isEqualTo(Instant.ofEpochSecond(1_030));
        });
        assertThat(cluster.nodeReports())
                .extracting(NodeReport::getState)
                .containsExactly(NodeState.DOWN, NodeState.IDLE);
        assertThat(start(cluster, "2", "n0001:4").message()).isEqualTo("node n0001 is down");

        cluster.advanceTo(40);
        assertThat(start(cluster, "2", "n0001:4").outcome()).isEqualTo(CommandOutcome.DONE);
    }

    @Test
    void shouldPutRequeuedJobBackAndForgetItsPlannedEnd() {
        SimulatedCluster cluster = cluster("");
        start(cluster, "1", "n0001:4");
        cluster.advanceTo(90);
        execute(cluster, CommandKind.REQUEUE_JOB, "1");
        assertThat(report(cluster, "1").getState()).isEqualTo(JobState.IDLE);
        assertThat(report(cluster, "1").getStartTime()).isNull();
        cluster.polled();

        start(cluster, "1", "n0002:4");
        cluster.advanceTo(189);
        assertThat(report(cluster, "1").getState()).isEqualTo(JobState.RUNNING);
        cluster.advanceTo(190);
        assertThat(report(cluster, "1").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(LedgerReport.of(ledger).problems()).isEmpty();
    }

    @Test
    void shouldHoldAndRelease() {
        SimulatedCluster cluster = cluster("");
        execute(cluster, CommandKind.HOLD_JOB, "1");
        assertThat(start(cluster, "1", "n0001:4").message()).isEqualTo("job 1 is HOLD");

        execute(cluster, CommandKind.RELEASE_JOB, "1");
        assertThat(start(cluster, "1", "n0001:4").outcome()).isEqualTo(CommandOutcome.DONE);
        assertThat(execute(cluster, CommandKind.HOLD_JOB, "1").message()).isEqualTo("job 1 is RUNNING");
    }

    @Test
    void shouldShowChangesOfCommandsAtTheNextSecond() {
        SimulatedCluster cluster = cluster("");
        cluster.polled();
        start(cluster, "1", "n0001:4");
        assertThat(cluster.nextInstant()).isEqualTo(100);

        execute(cluster, CommandKind.CANCEL_JOB, "2");
        assertThat(cluster.nextInstant()).isEqualTo(1);
        cluster.advanceTo(1);
        cluster.polled();
        assertThat(cluster.nextInstant()).isEqualTo(100);
    }

    @Test
    void shouldForgetEndedJobsAfterTwoInstants() {
        SimulatedCluster cluster = cluster("");
        start(cluster, "2", "n0001:4");
        cluster.advanceTo(50);
        cluster.polled();
        cluster.polled();
        assertThat(cluster.jobReports()).extracting(JobReport::getJobId).containsExactly("1", "2");
        cluster.advanceTo(60);
        cluster.polled();
        assertThat(cluster.jobReports()).extracting(JobReport::getJobId).containsExactly("1", "2");
        cluster.advanceTo(70);
        cluster.polled();
        assertThat(cluster.jobReports()).extracting(JobReport::getJobId).containsExactly("1");
    }

    @Test
    void shouldReportTheSameObjectWhileNothingChanges() {
        SimulatedCluster cluster = cluster("");

        assertThat(report(cluster, "1")).isSameAs(report(cluster, "1"));
        assertThat(cluster.nodeReports().get(0)).isSameAs(cluster.nodeReports().get(0));
    }

    @Test
    void shouldTellUsageOfNodesWhenAsked() {
        SimulatedCluster cluster = new SimulatedCluster(
                "c1", SHAPE, WORKLOAD, FailureScript.NONE, true, NodeFailureEffect.KEEP_JOBS, ledger::add);
        cluster.settle();
        start(cluster, "1", "n0001:4");

        assertThat(cluster.nodeReports())
                .extracting(NodeReport::getState)
                .containsExactly(NodeState.BUSY, NodeState.IDLE);
    }

    @Test
    void shouldNotExecuteACommandTwice() {
        SimulatedCluster cluster = cluster("");
        RmCommand start = Commands.start(1, "1", allocation("n0001:4"));
        cluster.execute(start);

        assertThat(cluster.answerTo(start.getCommandId())).contains(RmAnswer.done(Instant.ofEpochSecond(1_000)));
        assertThatThrownBy(() -> cluster.execute(start)).isInstanceOf(RmException.class);
    }

    @Test
    void shouldBeRebuiltFromItsLedgerCutAnywhere() {
        String script = "AT +120 NODE n0002 DOWN FOR 10\nSTART JOB 3 REFUSE 1";
        SimulatedCluster first = cluster(script);
        start(first, "1", "n0001:4");
        start(first, "2", "n0002:4");
        first.polled();
        execute(first, CommandKind.REQUEUE_JOB, "2");
        start(first, "2", "n0002:4");
        first.advanceTo(100);
        first.polled();
        start(first, "3", "n0002:2");
        start(first, "3", "n0002:2");
        first.advanceTo(130);
        first.polled();

        List<LedgerEntry> entries = List.copyOf(ledger);
        assertThat(entries).hasSizeGreaterThan(15);
        for (int length = 1; length <= entries.size(); length++) {
            SimulatedCluster second = machine(script);
            entries.subList(0, length).forEach(second::replay);
            second.settle();
            assertThat(LedgerReport.of(entries.subList(0, length)).problems()).isEmpty();
            if (length == entries.size()) {
                assertThat(second.jobReports()).isEqualTo(first.jobReports());
                assertThat(second.nodeReports()).isEqualTo(first.nodeReports());
                assertThat(second.now()).isEqualTo(first.now());
                assertThat(second.nextInstant()).isEqualTo(first.nextInstant());
            }
        }
    }

    private static TraceJob job(int number, long submit, int procs, long estimate, long run) {
        return new TraceJob(Integer.toString(number), number, number, submit, procs, estimate, run, 1, 1, -1);
    }

    private SimulatedCluster cluster(String script) {
        SimulatedCluster cluster = machine(script);
        cluster.settle();
        return cluster;
    }

    private SimulatedCluster machine(String script) {
        return machine(script, NodeFailureEffect.KEEP_JOBS);
    }

    private SimulatedCluster machine(String script, NodeFailureEffect effect) {
        FailureScript failures = new FailureScriptParser(0, name -> true).parse(script);
        return new SimulatedCluster("c1", SHAPE, WORKLOAD, failures, false, effect, ledger::add);
    }

    private RmAnswer start(SimulatedCluster cluster, String job, String... where) {
        return cluster.execute(Commands.start(++commands, job, allocation(where)));
    }

    private RmAnswer execute(SimulatedCluster cluster, CommandKind kind, String job) {
        return cluster.execute(Commands.command(++commands, kind, job));
    }

    private static NodeAllocation[] allocation(String... where) {
        NodeAllocation[] allocation = new NodeAllocation[where.length];
        for (int i = 0; i < where.length; i++) {
            String[] parts = where[i].split(":", -1);
            allocation[i] = new NodeAllocation(parts[0], Integer.parseInt(parts[1]));
        }
        return allocation;
    }

    private static JobReport report(SimulatedCluster cluster, String id) {
        return cluster.jobReports().stream()
                .filter(job -> job.getJobId().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
