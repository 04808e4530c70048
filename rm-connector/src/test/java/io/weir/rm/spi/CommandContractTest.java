package io.weir.rm.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.runtime.command.Backlog;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every resource manager has to do with each kind of command, but for the start of a job. */
public abstract class CommandContractTest extends ResourceManagerFixture {
    private static final String RESERVATION = "contract.1";
    private static final String NOBODY = "999999";
    private static final String NOWHERE = "there-is-no-such-node";

    @Test
    void shouldHoldAndRelease() {
        assumeCommand(CommandKind.HOLD_JOB, CommandKind.RELEASE_JOB);

        assertDone(command(CommandKind.HOLD_JOB, job(0)));
        assertThat(report(job(0)).getState()).isEqualTo(JobState.HOLD);
        assertThat(carryOut(start(job(0), new NodeAllocation(idleNode(0), 1))).outcome())
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
        awaitState(job(0), JobState.SUSPENDED);
        assertThat(report(job(0)).getAllocation()).containsExactly(where);

        assertDone(command(CommandKind.RESUME_JOB, job(0)));
        awaitState(job(0), JobState.RUNNING);
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
        assertRefused(with(command(CommandKind.SIGNAL_JOB, NOBODY), CommandArguments.SIGNAL, "CONT"));
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

        assertDone(about(CommandKind.DRAIN_NODE, node));
        assertThat(node(node).getState()).isIn(NodeState.DRAINED, NodeState.DRAINING);

        assertDone(about(CommandKind.RESUME_NODE, node));
        awaitState(node, NodeState.IDLE);
        assertRefused(about(CommandKind.DRAIN_NODE, NOWHERE));
    }

    @Test
    void shouldReplaceFeaturesOfNode() {
        assumeCommand(CommandKind.MODIFY_NODE);
        String node = idleNode(1);

        assertDone(with(about(CommandKind.MODIFY_NODE, node), CommandArguments.FEATURES, "fast,big"));

        assertThat(node(node).getFeatures()).containsExactly("big", "fast");
    }

    @Test
    void shouldTakeNodeDownOrRefuse() {
        assumeCommand(CommandKind.MODIFY_NODE);
        String node = idleNode(1);
        RmCommand down = with(about(CommandKind.MODIFY_NODE, node), CommandArguments.STATE, "Down");

        boolean done = carryOut(down).outcome() == CommandOutcome.DONE;

        awaitState(node, done ? NodeState.DOWN : NodeState.IDLE);
    }

    @Test
    void shouldGrowAndShrinkRunningJob() {
        assumeCommand(CommandKind.ADD_NODES, CommandKind.REMOVE_NODES);
        NodeAllocation first = new NodeAllocation(idleNode(0), 1);
        NodeAllocation second = new NodeAllocation(idleNode(1), 1);
        assertDone(start(job(0), first));

        assertDone(resize(CommandKind.ADD_NODES, job(0), second));
        assertThat(report(job(0)).getAllocation())
                .extracting(NodeAllocation::getNodeId)
                .containsExactlyInAnyOrder(first.getNodeId(), second.getNodeId());

        assertDone(resize(CommandKind.REMOVE_NODES, job(0), second));
        assertThat(report(job(0)).getAllocation()).containsExactly(first);
        assertRefused(resize(CommandKind.REMOVE_NODES, job(0), first));
    }

    @Test
    void shouldRefuseWhatItCannotDoWithReason() {
        NodeAllocation first = new NodeAllocation(idleNode(0), 1);
        NodeAllocation second = new NodeAllocation(idleNode(1), 1);
        assertDone(start(job(0), first));
        for (CommandKind kind : refused()) {
            assertRefused(sample(kind, job(0), second.getNodeId()));
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
        RmCommand create = reserve(RESERVATION, idleNode(0));

        assertDone(create);
        assertThat(Commands.lookup(rm, create).verdict()).isEqualTo(CommandCheck.Verdict.ANSWERED);
        assertDone(about(CommandKind.RELEASE_RESERVATION, RESERVATION));
        assertThat(Commands.lookup(rm, create).verdict()).isEqualTo(CommandCheck.Verdict.NOT_DONE);
        assertRefused(with(about(CommandKind.CREATE_RESERVATION, "contract.2"), CommandArguments.START, "0"));
    }

    static List<CommandKind> aboutJobsAndNodes() {
        return Occasion.kinds(Occasion.ON_JOBS_OR_NODES);
    }

    @ParameterizedTest
    @MethodSource("aboutJobsAndNodes")
    void shouldRefuseEachCommandAboutWhatIsNotThere(CommandKind kind) {
        assumeCommand(kind);

        assertRefused(sample(kind, NOBODY, Occasion.ON_NODES.contains(Occasion.of(kind)) ? NOWHERE : idleNode(0)));
    }

    static List<CommandKind> aboutRunningJobs() {
        return Occasion.kinds(Occasion.ON_RUNNING_JOBS);
    }

    @ParameterizedTest
    @MethodSource("aboutRunningJobs")
    void shouldRefuseWhatOnlyRunningJobsCanDo(CommandKind kind) {
        assumeCommand(kind);

        assertRefused(sample(kind, job(0), idleNode(0)));

        assertThat(report(job(0)).getState()).isEqualTo(JobState.IDLE);
    }

    static List<CommandKind> all() {
        return Occasion.kinds(EnumSet.complementOf(EnumSet.of(Occasion.NONE)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldNotRepeatWhatTookEffectBeforeRestart(CommandKind kind) {
        assumeCommand(kind);
        String job = job(0);
        String node = idleNode(1);
        Long asked = report(job).getWalltimeSeconds();
        prepare(kind, job, node);
        RmCommand command = sample(kind, job, node);
        assertDone(command);
        settle(kind, job, node);
        if (kind == CommandKind.REQUEUE_JOB) {
            // It asks for what its user asked for again, not for what its start gave it.
            eventually(() -> assertThat(report(job).getWalltimeSeconds()).isEqualTo(asked));
        }
        Sight after = look(kind, job, node);
        rm.sync();

        restart();
        Runner runner = new Runner(new Backlog(command.getNumber() - 1, List.of(command), command.getNumber()));
        runner.insist();

        RmAnswer answer = runner.answerTo(command);
        if (answer.outcome() == CommandOutcome.DONE || kind != CommandKind.SIGNAL_JOB) {
            assertThat(answer.outcome()).as("%s: %s", kind, answer).isEqualTo(CommandOutcome.DONE);
            assertThat(look(kind, job, node)).isEqualTo(after);
        } else {
            // A signal leaves no trace by which one could tell that it was sent; a second would come in a moment.
            assertThat(answer.message()).contains("not known whether this signal was sent");
            await().during(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(look(kind, job, node)).isEqualTo(after));
        }
    }

    /** Returns a command that changes something, given the occasion. */
    private RmCommand sample(CommandKind kind, String job, String node) {
        return switch (kind) {
            case START_JOB -> start(job, new NodeAllocation(node, 1));
            case ADD_NODES, REMOVE_NODES -> resize(kind, job, new NodeAllocation(node, 1));
            case MODIFY_JOB -> with(command(kind, job), CommandArguments.WALLTIME, "7200");
            case SIGNAL_JOB -> with(command(kind, job), CommandArguments.SIGNAL, "USR1");
            case DRAIN_NODE, RESUME_NODE -> about(kind, node);
            case MODIFY_NODE -> with(about(kind, node), CommandArguments.FEATURES, "big,fast");
            case CREATE_RESERVATION -> reserve(RESERVATION, node);
            case RELEASE_RESERVATION -> about(kind, RESERVATION);
            default -> command(kind, job);
        };
    }

    /** Sees to it that the command finds something to do. */
    private void prepare(CommandKind kind, String job, String node) {
        switch (Occasion.of(kind)) {
            case JOB, RUNNING_JOB -> run(job);
            case HELD_JOB -> assertDone(command(CommandKind.HOLD_JOB, job));
            case SUSPENDED_JOB -> {
                run(job);
                assertDone(command(CommandKind.SUSPEND_JOB, job));
                awaitState(job, JobState.SUSPENDED);
            }
            case WIDE_JOB -> {
                run(job);
                assertDone(resize(CommandKind.ADD_NODES, job, new NodeAllocation(node, 1)));
            }
            case DRAINED_NODE -> assertDone(about(CommandKind.DRAIN_NODE, node));
            case RESERVATION -> assertDone(reserve(RESERVATION, node));
            case WAITING_JOB, NODE, NO_RESERVATION, NONE -> {}
        }
        if (kind == CommandKind.SIGNAL_JOB) {
            eventually(() -> assertThat(toldTo(job)).hasSize(1));
        }
    }

    private void run(String job) {
        assertDone(start(job, new NodeAllocation(idleNode(0), 1)));
    }

    private void settle(CommandKind kind, String job, String node) {
        switch (kind) {
            case SUSPEND_JOB -> awaitState(job, JobState.SUSPENDED);
            case RESUME_JOB -> awaitState(job, JobState.RUNNING);
            case RESUME_NODE -> awaitState(node, NodeState.IDLE);
            case SIGNAL_JOB -> eventually(() -> assertThat(toldTo(job)).hasSize(2));
            case CREATE_RESERVATION -> assertThat(reservations()).hasSize(1);
            case RELEASE_RESERVATION -> assertThat(reservations()).isEmpty();
            default -> {}
        }
    }

    /** What a command may have changed; a start or a drain that goes on by itself counts as done. */
    private record Sight(
            JobState job,
            List<NodeAllocation> allocation,
            @Nullable Instant start,
            @Nullable Instant end,
            @Nullable Long walltime,
            NodeState node,
            List<String> features,
            List<String> reservations,
            List<String> toldToJob) {}

    private Sight look(CommandKind kind, String job, String node) {
        Poll poll = rm.poll();
        JobReport seen = report(poll, job);
        NodeReport seenNode = node(poll, node);
        return new Sight(
                seen.getState() == JobState.STARTING ? JobState.RUNNING : seen.getState(),
                seen.getAllocation(),
                seen.getStartTime(),
                seen.getEndTime(),
                seen.getWalltimeSeconds(),
                seenNode.getState() == NodeState.DRAINING ? NodeState.DRAINED : seenNode.getState(),
                seenNode.getFeatures(),
                Occasion.ON_RESERVATIONS.contains(Occasion.of(kind)) ? reservations() : List.of(),
                kind == CommandKind.SIGNAL_JOB ? toldTo(job) : List.of());
    }
}
