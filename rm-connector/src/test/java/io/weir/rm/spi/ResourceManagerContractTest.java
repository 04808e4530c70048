package io.weir.rm.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.weir.rm.runtime.command.Backlog;
import io.weir.rm.runtime.command.CommandExecutor;
import io.weir.rm.runtime.command.ResultSink;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    /** Takes the resource manager away: nothing answers. The second poll and the first command come while it is. */
    protected abstract void lose();

    /** Brings back what {@link #lose} took away. */
    protected abstract void restore();

    /** Makes the resource manager take longer than its time limit, from the first command on. */
    protected abstract void slowDown();

    /** Ends what {@link #slowDown} began. */
    protected abstract void speedUp();

    /** How long a call may take when the resource manager does not answer. */
    protected Duration patience() {
        return Duration.ofSeconds(30);
    }

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
    void shouldSignalRunningJobOnly() {
        assumeCommand(CommandKind.SIGNAL_JOB);
        RmCommand signal = with(command(CommandKind.SIGNAL_JOB, job(0)), CommandArguments.SIGNAL, "CONT");
        assertRefused(signal);
        NodeAllocation where = new NodeAllocation(idleNode(0), 1);
        assertDone(start(job(0), where));

        assertDone(with(command(CommandKind.SIGNAL_JOB, job(0)), CommandArguments.SIGNAL, "CONT"));

        assertThat(report(job(0)).getState()).isEqualTo(JobState.RUNNING);
        assertThat(report(job(0)).getAllocation()).containsExactly(where);
        assertRefused(with(command(CommandKind.SIGNAL_JOB, "999999"), CommandArguments.SIGNAL, "CONT"));
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

    @Test
    void shouldCancelWaitingJob() {
        String id = job(0);

        assertDone(command(CommandKind.CANCEL_JOB, id));

        // One that keeps no record of a job that never ran does not list it any more.
        assertThat(rm.poll().jobs())
                .filteredOn(job -> job.getJobId().equals(id))
                .allSatisfy(job -> {
                    assertThat(job.getState()).isIn(JobState.CANCELLED, JobState.REMOVED);
                    assertThat(job.getStartTime()).isNull();
                });
        assertRefused(command(CommandKind.CANCEL_JOB, id));
    }

    @Test
    void shouldMakeAndReleaseReservation() {
        assumeCommand(CommandKind.CREATE_RESERVATION, CommandKind.RELEASE_RESERVATION);
        long now = rm.now().getEpochSecond();
        RmCommand create = RmCommand.newBuilder(onNode(CommandKind.CREATE_RESERVATION, "contract.1"))
                .setAllocation(List.of(new NodeAllocation(idleNode(0), 1)))
                .setArguments(List.of(
                        new NameValue(CommandArguments.END, Long.toString(now + 600)),
                        new NameValue(CommandArguments.START, Long.toString(now))))
                .build();

        assertDone(create);
        assertThat(rm.lookup(create).verdict()).isEqualTo(CommandCheck.Verdict.ANSWERED);
        assertDone(onNode(CommandKind.RELEASE_RESERVATION, "contract.1"));
        assertThat(rm.lookup(create).verdict()).isEqualTo(CommandCheck.Verdict.NOT_DONE);
        assertRefused(with(onNode(CommandKind.CREATE_RESERVATION, "contract.2"), CommandArguments.START, "0"));
    }

    @ParameterizedTest
    @EnumSource(
            value = CommandKind.class,
            names = {
                "START_JOB",
                "CANCEL_JOB",
                "REQUEUE_JOB",
                "HOLD_JOB",
                "RELEASE_JOB",
                "SUSPEND_JOB",
                "RESUME_JOB",
                "MODIFY_JOB",
                "ADD_NODES",
                "REMOVE_NODES",
                "DRAIN_NODE",
                "RESUME_NODE"
            })
    void shouldRefuseEachCommandAboutWhatIsNotThere(CommandKind kind) {
        assumeCommand(kind);
        RmCommand command = kind == CommandKind.DRAIN_NODE || kind == CommandKind.RESUME_NODE
                ? onNode(kind, "there-is-no-such-node")
                : RmCommand.newBuilder(with(command(kind, "999999"), CommandArguments.WALLTIME, "60"))
                        .setAllocation(List.of(new NodeAllocation(idleNode(0), 1)))
                        .build();

        assertRefused(command);
    }

    @ParameterizedTest
    @EnumSource(
            value = CommandKind.class,
            names = {"REQUEUE_JOB", "SUSPEND_JOB", "RESUME_JOB", "ADD_NODES", "REMOVE_NODES"})
    void shouldRefuseWhatOnlyRunningJobsCanDo(CommandKind kind) {
        assumeCommand(kind);

        assertRefused(RmCommand.newBuilder(command(kind, job(0)))
                .setAllocation(List.of(new NodeAllocation(idleNode(0), 1)))
                .build());

        assertThat(report(job(0)).getState()).isEqualTo(JobState.IDLE);
    }

    @Test
    void shouldSayThatContactIsLostAndGoOnWhenItIsBack() {
        Poll before = rm.poll();
        NodeAllocation where = new NodeAllocation(before.nodes().get(0).getNodeId(), 1);
        String job = before.jobs().get(0).getJobId();
        RmCommand start = start(job, where);
        Runner runner = new Runner(Backlog.EMPTY);
        runner.accept(start);

        lose();
        assertThatThrownBy(rm::poll).isInstanceOf(RetriableRmException.class);
        assertThatThrownBy(runner::drain).isInstanceOf(RetriableRmException.class);
        assertThat(runner.answers).isEmpty();
        restore();

        runner.insist();
        assertThat(runner.answerTo(start).outcome()).as("%s", runner.answers).isEqualTo(CommandOutcome.DONE);
        assertThat(report(job).getAllocation()).containsExactly(where);
    }

    @Test
    void shouldGiveUpOnSlowOneAndFindOutWhatBecameOfTheCommand() {
        Poll before = rm.poll();
        NodeAllocation where = new NodeAllocation(before.nodes().get(0).getNodeId(), 1);
        String job = before.jobs().get(0).getJobId();
        RmCommand start = start(job, where);
        Runner runner = new Runner(Backlog.EMPTY);
        runner.accept(start);

        slowDown();
        Instant began = Instant.now();
        assertThatThrownBy(runner::drain).isInstanceOf(RetriableRmException.class);
        assertThat(Duration.between(began, Instant.now())).isLessThan(patience());
        speedUp();

        runner.insist();
        assertThat(runner.answerTo(start).outcome()).as("%s", runner.answers).isEqualTo(CommandOutcome.DONE);
        JobReport running = report(job);
        assertThat(running.getAllocation()).containsExactly(where);
        assertThat(running.getStartTime()).isEqualTo(runner.answerTo(start).effectTime());
    }

    @Test
    void shouldCarryOutDuplicateCommandOnce() {
        String job = job(0);
        RmCommand start = start(job, new NodeAllocation(idleNode(0), 1));
        Runner runner = new Runner(Backlog.EMPTY);
        runner.accept(start);
        runner.accept(start);
        runner.insist();
        runner.accept(start);
        runner.insist();
        JobReport running = report(job);

        // Past the runner: the resource manager itself does not start it twice either.
        try {
            rm.execute(start);
        } catch (RmException e) {
            assertThat(e).hasMessageContaining("carried out before");
        }

        assertThat(runner.answers).containsOnlyKeys(start.getCommandId());
        assertThat(report(job)).isEqualTo(running);
    }

    @ParameterizedTest
    @EnumSource(
            value = CommandKind.class,
            names = {
                "START_JOB",
                "CANCEL_JOB",
                "REQUEUE_JOB",
                "HOLD_JOB",
                "RELEASE_JOB",
                "SUSPEND_JOB",
                "RESUME_JOB",
                "MODIFY_JOB",
                "DRAIN_NODE",
                "RESUME_NODE"
            })
    void shouldNotRepeatWhatTookEffectBeforeRestart(CommandKind kind) {
        assumeCommand(kind);
        String job = job(0);
        String node = idleNode(1);
        prepare(kind, job, node);
        RmCommand command = switch (kind) {
            case START_JOB -> start(job, new NodeAllocation(idleNode(0), 1));
            case MODIFY_JOB -> with(command(kind, job), CommandArguments.WALLTIME, "7200");
            case DRAIN_NODE, RESUME_NODE -> onNode(kind, node);
            default -> command(kind, job);
        };
        assertDone(command);
        settle(kind, job, node);
        JobReport after = report(job);
        rm.sync();

        crash(rm);
        rm = open();
        Runner runner = new Runner(new Backlog(command.getNumber() - 1, List.of(command), command.getNumber()));
        runner.insist();

        assertThat(runner.answerTo(command).outcome())
                .as("%s: %s", kind, runner.answers)
                .isEqualTo(CommandOutcome.DONE);
        JobReport now = report(job);
        assertThat(now.getState()).isEqualTo(after.getState());
        assertThat(now.getAllocation()).isEqualTo(after.getAllocation());
        assertThat(now.getStartTime()).isEqualTo(after.getStartTime());
        assertThat(now.getEndTime()).isEqualTo(after.getEndTime());
        if (kind == CommandKind.DRAIN_NODE) {
            // Other tests may have to do with the same nodes.
            assertThat(node(node).getState()).isIn(NodeState.DRAINED, NodeState.DRAINING);
            assertDone(onNode(CommandKind.RESUME_NODE, node));
        }
    }

    /** Brings the job or the node where the command finds something to do. */
    private void prepare(CommandKind kind, String job, String node) {
        switch (kind) {
            case REQUEUE_JOB, SUSPEND_JOB -> assertDone(start(job, new NodeAllocation(idleNode(0), 1)));
            case CANCEL_JOB -> assertDone(start(job, new NodeAllocation(idleNode(0), 1)));
            case RELEASE_JOB -> assertDone(command(CommandKind.HOLD_JOB, job));
            case RESUME_JOB -> {
                assertDone(start(job, new NodeAllocation(idleNode(0), 1)));
                assertDone(command(CommandKind.SUSPEND_JOB, job));
                awaitState(job, JobState.SUSPENDED);
            }
            case RESUME_NODE -> assertDone(onNode(CommandKind.DRAIN_NODE, node));
            default -> {}
        }
    }

    /** A resource manager may take its time to show a suspension. */
    private void settle(CommandKind kind, String job, String node) {
        switch (kind) {
            case SUSPEND_JOB -> awaitState(job, JobState.SUSPENDED);
            case RESUME_JOB -> awaitState(job, JobState.RUNNING);
            case RESUME_NODE ->
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(node(node).getState()).isEqualTo(NodeState.IDLE));
            default -> {}
        }
    }

    private void awaitState(String job, JobState state) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(report(job).getState()).isEqualTo(state));
    }

    /** What carries out commands in the connector, with answers kept. */
    private final class Runner {
        private final Map<String, RmAnswer> answers = new LinkedHashMap<>();
        private final CommandExecutor executor;

        Runner(Backlog backlog) {
            executor = new CommandExecutor(rm, backlog, new ResultSink() {
                @Override
                public void answered(RmCommand command, RmAnswer answer) {
                    assertThat(answers.put(command.getCommandId(), answer))
                            .as("an earlier answer")
                            .isNull();
                }

                @Override
                public void expired(RmCommand command, String message) {
                    throw new AssertionError(message);
                }
            });
        }

        void accept(RmCommand command) {
            executor.accept(command);
        }

        void drain() {
            executor.drain();
        }

        /** Tries until the resource manager is there. */
        void insist() {
            await().atMost(Duration.ofMinutes(2))
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreExceptionsInstanceOf(RetriableRmException.class)
                    .until(() -> {
                        executor.drain();
                        return true;
                    });
        }

        RmAnswer answerTo(RmCommand command) {
            return Optional.ofNullable(answers.get(command.getCommandId())).orElseThrow();
        }
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
