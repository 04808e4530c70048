package io.weir.rm.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every resource manager has to do. An integration extends this class and offers a cluster with at least two idle
 * nodes and two waiting jobs of one processor each, the first and second its poll lists, that run for long.
 */
public abstract class ResourceManagerContractTest {

    static {
        AvroTrust.install();
    }

    private static final String CLUSTER = "contract";

    @TempDir
    protected Path directory;

    private ResourceManager rm;
    private long commands;

    /** Opens the resource manager, or opens it again after {@link #crash}. */
    protected abstract ResourceManager open();

    /** Ends {@code manager} as the death of its process would; by default nothing has to be done. */
    protected void crash(ResourceManager manager) {}

    /** Commands that the integration passes on and what is behind it refuses. */
    protected Set<CommandKind> refused() {
        return Set.of();
    }

    /** Returns the value of {@code rm.type} under which the provider is to be found. */
    protected abstract String type();

    /** Returns the name of the cluster that reports have to carry. */
    protected static String cluster() {
        return CLUSTER;
    }

    /** Name of the test that runs; an integration may have to prepare for it. */
    protected String test = "";

    @BeforeEach
    void openResourceManager(TestInfo info) {
        test = info.getTestMethod().orElseThrow().getName();
        rm = open();
    }

    @AfterEach
    void closeResourceManager() {
        rm.close();
    }

    @Test
    void shouldBeFoundByType() {
        assertThat(ServiceLoader.load(ResourceManagerProvider.class))
                .extracting(ResourceManagerProvider::type)
                .contains(type());
        assertThat(rm.capabilities().type()).isEqualTo(type());
    }

    @Test
    void shouldListEveryEntityOnceUnderItsCluster() {
        Poll poll = rm.poll();

        assertThat(poll.nodes()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(poll.nodes()).extracting(NodeReport::getNodeId).doesNotHaveDuplicates();
        assertThat(poll.nodes()).extracting(NodeReport::getCluster).containsOnly(CLUSTER);
        assertThat(poll.jobs()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(poll.jobs()).extracting(JobReport::getJobId).doesNotHaveDuplicates();
        assertThat(poll.jobs()).extracting(JobReport::getCluster).containsOnly(CLUSTER);
    }

    @Test
    void shouldTellTimeInWholeSecondsThatDoesNotGoBack() {
        Instant first = rm.now();
        Poll poll = rm.poll();
        Instant last = rm.now();

        assertThat(List.of(first, poll.rmTime(), last)).isSorted();
        assertThat(poll.rmTime().getNano()).isZero();
        assertThat(poll.jobs())
                .allSatisfy(job -> assertThat(job.getSubmitTime().getNano()).isZero());
    }

    @Test
    void shouldReportTheSameWhenNothingHappened() {
        assertThat(rm.poll().jobs()).isEqualTo(rm.poll().jobs());
        assertThat(rm.poll().nodes()).isEqualTo(rm.poll().nodes());
    }

    @Test
    void shouldStartJobWhereTold() {
        NodeAllocation where = new NodeAllocation(idleNode(1), 1);

        RmAnswer answer = rm.execute(start(job(0), where));

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.DONE);
        JobReport job = report(job(0));
        assertThat(job.getState()).isIn(JobState.STARTING, JobState.RUNNING);
        assertThat(job.getAllocation()).containsExactly(where);
        assertThat(job.getStartTime()).isEqualTo(answer.effectTime());
    }

    @Test
    void shouldRefuseToStartJobThatRuns() {
        String first = idleNode(0);
        String second = idleNode(1);
        rm.execute(start(job(0), new NodeAllocation(first, 1)));

        RmAnswer answer = rm.execute(start(job(0), new NodeAllocation(second, 1)));

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answer.message()).isNotBlank();
        assertThat(report(job(0)).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactly(first);
    }

    @Test
    void shouldRefuseWhatDoesNotExist() {
        NodeAllocation nowhere = new NodeAllocation("there-is-no-such-node", 1);

        assertThat(rm.execute(start(job(0), nowhere)).outcome()).isEqualTo(CommandOutcome.REFUSED);
        assertThat(rm.execute(start("there-is-no-such-job", new NodeAllocation(idleNode(0), 1)))
                        .outcome())
                .isEqualTo(CommandOutcome.REFUSED);
        assertThat(report(job(0)).getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldCancelRunningJobAndReportItsEnd() {
        rm.execute(start(job(0), new NodeAllocation(idleNode(0), 1)));

        RmAnswer answer = rm.execute(command(CommandKind.CANCEL_JOB, job(0)));

        assertThat(answer.outcome()).isEqualTo(CommandOutcome.DONE);
        JobReport job = report(job(0));
        assertThat(job.getState()).isEqualTo(JobState.CANCELLED);
        assertThat(job.getEndTime()).isNotNull();
    }

    @Test
    void shouldKnowWhatWasNotDone() {
        RmCommand never = start(job(0), new NodeAllocation(idleNode(0), 1));

        assertThat(rm.lookup(never).verdict()).isIn(CommandCheck.Verdict.NOT_DONE, CommandCheck.Verdict.UNKNOWN);
        assertThat(report(job(0)).getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldKnowWhatWasDoneEvenAfterCrash() {
        RmCommand start = start(job(0), new NodeAllocation(idleNode(0), 1));
        RmAnswer answer = rm.execute(start);
        rm.sync();
        assertKnows(start, answer);

        crash(rm);
        rm = open();

        assertKnows(start, answer);
        assertThat(report(job(0)).getState()).isIn(JobState.STARTING, JobState.RUNNING);
    }

    @Test
    void shouldShowEndedJobAgainAfterCrash() {
        rm.execute(start(job(0), new NodeAllocation(idleNode(0), 1)));
        rm.execute(command(CommandKind.CANCEL_JOB, job(0)));
        rm.poll();
        rm.sync();

        crash(rm);
        rm = open();

        assertThat(report(job(0)).getState()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void shouldHoldAndRelease() {
        assumeCommand(CommandKind.HOLD_JOB, CommandKind.RELEASE_JOB);

        assertDone(command(CommandKind.HOLD_JOB, job(0)));
        assertThat(report(job(0)).getState()).isEqualTo(JobState.HOLD);
        assertThat(rm.execute(start(job(0), new NodeAllocation(idleNode(0), 1))).outcome())
                .isEqualTo(CommandOutcome.REFUSED);

        assertDone(command(CommandKind.RELEASE_JOB, job(0)));
        assertThat(report(job(0)).getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldSuspendAndResume() {
        assumeCommand(CommandKind.SUSPEND_JOB, CommandKind.RESUME_JOB);
        NodeAllocation where = new NodeAllocation(idleNode(0), 1);
        assertDone(start(job(0), where));

        assertDone(command(CommandKind.SUSPEND_JOB, job(0)));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(report(job(0)).getState()).isEqualTo(JobState.SUSPENDED));
        assertThat(report(job(0)).getAllocation()).containsExactly(where);

        assertDone(command(CommandKind.RESUME_JOB, job(0)));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(report(job(0)).getState()).isEqualTo(JobState.RUNNING));
    }

    @Test
    void shouldRequeueRunningJobAndStartItAgain() {
        assumeCommand(CommandKind.REQUEUE_JOB);
        assertDone(start(job(0), new NodeAllocation(idleNode(0), 1)));

        assertDone(command(CommandKind.REQUEUE_JOB, job(0)));
        assertThat(report(job(0)).getState()).isEqualTo(JobState.IDLE);
        assertThat(report(job(0)).getStartTime()).isNull();

        NodeAllocation next = new NodeAllocation(idleNode(1), 1);
        assertDone(start(job(0), next));
        assertThat(report(job(0)).getAllocation()).containsExactly(next);
    }

    @Test
    void shouldChangeWallclockLimit() {
        assumeCommand(CommandKind.MODIFY_JOB);
        RmCommand change = with(command(CommandKind.MODIFY_JOB, job(0)), CommandArguments.WALLTIME, "7200");

        assertDone(change);
        assertThat(report(job(0)).getWalltimeSeconds()).isEqualTo(7200);

        assertRefused(with(command(CommandKind.MODIFY_JOB, "there-is-no-such-job"), CommandArguments.WALLTIME, "60"));
        assertRefused(command(CommandKind.MODIFY_JOB, job(0)));
    }

    @Test
    void shouldDrainNodeAndTakeItBack() {
        assumeCommand(CommandKind.DRAIN_NODE, CommandKind.RESUME_NODE);
        String node = idleNode(0);

        assertDone(onNode(CommandKind.DRAIN_NODE, node));
        assertThat(node(node).getState()).isIn(NodeState.DRAINED, NodeState.DRAINING);

        assertDone(onNode(CommandKind.RESUME_NODE, node));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(node(node).getState()).isEqualTo(NodeState.IDLE));
        assertRefused(onNode(CommandKind.DRAIN_NODE, "there-is-no-such-node"));
    }

    @Test
    void shouldReplaceFeaturesOfNode() {
        assumeCommand(CommandKind.MODIFY_NODE);
        String node = idleNode(1);

        assertDone(with(onNode(CommandKind.MODIFY_NODE, node), CommandArguments.FEATURES, "fast,big"));

        assertThat(node(node).getFeatures()).containsExactly("big", "fast");
    }

    @Test
    void shouldTakeNodeDownOrRefuse() {
        assumeCommand(CommandKind.MODIFY_NODE);
        String node = idleNode(1);
        RmCommand down = with(onNode(CommandKind.MODIFY_NODE, node), CommandArguments.STATE, "Down");

        boolean done = rm.execute(down).outcome() == CommandOutcome.DONE;

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(node(node).getState()).isEqualTo(done ? NodeState.DOWN : NodeState.IDLE));
    }

    @Test
    void shouldGrowAndShrinkRunningJob() {
        assumeCommand(CommandKind.ADD_NODES, CommandKind.REMOVE_NODES);
        NodeAllocation first = new NodeAllocation(idleNode(0), 1);
        NodeAllocation second = new NodeAllocation(idleNode(1), 1);
        assertDone(start(job(0), first));

        assertDone(RmCommand.newBuilder(command(CommandKind.ADD_NODES, job(0)))
                .setAllocation(List.of(second))
                .build());
        assertThat(report(job(0)).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactlyInAnyOrder(first.getNodeId(), second.getNodeId());

        assertDone(RmCommand.newBuilder(command(CommandKind.REMOVE_NODES, job(0)))
                .setAllocation(List.of(second))
                .build());
        assertThat(report(job(0)).getAllocation()).containsExactly(first);
        assertRefused(RmCommand.newBuilder(command(CommandKind.REMOVE_NODES, job(0)))
                .setAllocation(List.of(first))
                .build());
    }

    @Test
    void shouldRefuseWhatItCannotDoWithReason() {
        NodeAllocation first = new NodeAllocation(idleNode(0), 1);
        NodeAllocation second = new NodeAllocation(idleNode(1), 1);
        assertDone(start(job(0), first));
        for (CommandKind kind : refused()) {
            RmCommand command = kind == CommandKind.MODIFY_NODE
                    ? with(onNode(kind, second.getNodeId()), CommandArguments.FEATURES, "fast")
                    : RmCommand.newBuilder(command(kind, job(0)))
                            .setAllocation(List.of(second))
                            .build();
            assertRefused(command);
        }
        assertThat(report(job(0)).getAllocation()).containsExactly(first);
    }

    private void assumeCommand(CommandKind... kinds) {
        Assumptions.assumeTrue(
                rm.capabilities().commands().containsAll(List.of(kinds))
                        && refused().stream().noneMatch(List.of(kinds)::contains),
                () -> type() + " has no " + List.of(kinds));
    }

    private void assertDone(RmCommand command) {
        RmAnswer answer = rm.execute(command);
        assertThat(answer.outcome()).as("%s: %s", command.getKind(), answer).isEqualTo(CommandOutcome.DONE);
    }

    private void assertRefused(RmCommand command) {
        RmAnswer answer = rm.execute(command);
        assertThat(answer.outcome()).as("%s: %s", command.getKind(), answer).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answer.message()).isNotBlank();
    }

    private NodeReport node(String name) {
        return rm.poll().nodes().stream()
                .filter(node -> node.getNodeId().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private RmCommand onNode(CommandKind kind, String node) {
        return RmCommand.newBuilder(command(kind, ""))
                .setJobId(null)
                .setObjectId(node)
                .build();
    }

    private static RmCommand with(RmCommand command, String name, String value) {
        return RmCommand.newBuilder(command)
                .setArguments(List.of(new NameValue(name, value)))
                .build();
    }

    private void assertKnows(RmCommand command, RmAnswer answer) {
        CommandCheck check = rm.lookup(command);
        if (check.verdict() == CommandCheck.Verdict.UNKNOWN) {
            return;
        }
        assertThat(check.verdict()).isEqualTo(CommandCheck.Verdict.ANSWERED);
        assertThat(check.answer()).isEqualTo(answer);
    }

    private String idleNode(int position) {
        return rm.poll().nodes().stream()
                .filter(node -> node.getState() == NodeState.IDLE)
                .skip(position)
                .findFirst()
                .orElseThrow()
                .getNodeId();
    }

    private String job(int position) {
        return rm.poll().jobs().get(position).getJobId();
    }

    private JobReport report(String id) {
        Optional<JobReport> report = rm.poll().jobs().stream()
                .filter(job -> job.getJobId().equals(id))
                .findFirst();
        assertThat(report).as("report of job %s", id).isPresent();
        return report.orElseThrow();
    }

    private RmCommand start(String job, NodeAllocation... where) {
        return RmCommand.newBuilder(command(CommandKind.START_JOB, job))
                .setAllocation(List.of(where))
                .setWalltimeSeconds(100_000L)
                .build();
    }

    private RmCommand command(CommandKind kind, String job) {
        commands++;
        return RmCommand.newBuilder()
                .setCluster(CLUSTER)
                .setConnector("rm")
                .setNumber(commands)
                .setCommandId(CLUSTER + "/" + commands + "/0")
                .setKind(kind)
                .setJobId(job)
                .setReason("contract")
                .setIteration(commands)
                .setIssuedAt(rm.now())
                .build();
    }
}
