package io.weir.rm.spi;

import static org.assertj.core.api.Assertions.assertThat;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the contract needs of an integration, and words to write it in. An integration offers a cluster with at least two
 * idle nodes and two waiting jobs of one processor each, the first and second its poll lists, that run for long. Jobs that
 * ended may be there too.
 */
public abstract class ResourceManagerFixture {

    static {
        AvroTrust.install();
    }

    private static final String CLUSTER = "contract";

    @TempDir
    protected Path directory;

    /** Name of the test that runs, with its parameter; an integration may have to prepare for it. */
    protected String test = "";

    /** The resource manager under test. */
    ResourceManager rm;

    private List<String> waiting = List.of();
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

    /** Returns what a job says it was told: one line when it runs, one more for each signal USR1. */
    protected List<String> toldTo(String job) {
        throw new UnsupportedOperationException(type() + " signals jobs: say what gets to them");
    }

    /** Returns the names of the reservations that are in effect or will be, from another source than the connector. */
    protected List<String> reservations() {
        throw new UnsupportedOperationException(type() + " makes reservations: say which there are");
    }

    /** Returns the value of {@code rm.type} under which the provider is to be found. */
    protected abstract String type();

    /** Returns the name of the cluster that reports have to carry. */
    protected static String cluster() {
        return CLUSTER;
    }

    @BeforeEach
    void openResourceManager(TestInfo info) {
        test = info.getTestMethod().orElseThrow().getName() + " " + info.getDisplayName();
        rm = open();
    }

    @AfterEach
    void closeResourceManager() {
        rm.close();
    }

    /** Lets the connector die and another take its place. */
    final void restart() {
        crash(rm);
        rm = open();
    }

    /** What carries out commands in the connector, with answers kept. */
    final class Runner {
        private static final int LOOKS = 20_000;

        private final Map<String, RmAnswer> answers = new LinkedHashMap<>();
        private final CommandExecutor executor;

        Runner(Backlog backlog) {
            executor = new CommandExecutor(
                    rm,
                    backlog,
                    new ResultSink() {
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
                    },
                    () -> {},
                    System::nanoTime);
        }

        void accept(RmCommand command) {
            executor.accept(command);
        }

        /** Carries everything out, unless the resource manager goes away. */
        void drain() {
            for (int i = 0; i < LOOKS && !executor.isIdle(); i++) {
                executor.advance(() -> false);
                LockSupport.parkNanos(Math.max(0, executor.due().orElse(0) - System.nanoTime()));
            }
            assertThat(executor.isIdle()).isTrue();
        }

        /** Tries until the resource manager is there. */
        void insist() {
            await().atMost(Duration.ofMinutes(2))
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .ignoreExceptionsInstanceOf(RetriableRmException.class)
                    .until(() -> {
                        executor.advance(() -> false);
                        return executor.isIdle();
                    });
        }

        Map<String, RmAnswer> answers() {
            return answers;
        }

        RmAnswer answerTo(RmCommand command) {
            return Optional.ofNullable(answers.get(command.getCommandId())).orElseThrow();
        }
    }

    /** Skips the test where the integration has not all these commands. */
    final void assumeCommand(CommandKind... kinds) {
        Assumptions.assumeTrue(
                rm.capabilities().commands().containsAll(List.of(kinds))
                        && refused().stream().noneMatch(List.of(kinds)::contains),
                () -> type() + " has no " + List.of(kinds));
    }

    /**
     * Carries a command out to its answer, as the connector does: where nobody knows yet what came of it, a look at the jobs
     * and nodes tells.
     */
    final RmAnswer carryOut(RmCommand command) {
        Runner runner = new Runner(Backlog.EMPTY);
        runner.accept(command);
        runner.insist();
        return runner.answerTo(command);
    }

    final void assertDone(RmCommand command) {
        RmAnswer answer = carryOut(command);
        assertThat(answer.outcome()).as("%s: %s", command.getKind(), answer).isEqualTo(CommandOutcome.DONE);
    }

    final void assertRefused(RmCommand command) {
        RmAnswer answer = carryOut(command);
        assertThat(answer.outcome()).as("%s: %s", command.getKind(), answer).isEqualTo(CommandOutcome.REFUSED);
        assertThat(answer.message()).isNotBlank();
    }

    /** A resource manager may take its time to show what it has accepted. */
    static void eventually(ThrowingRunnable condition) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(condition);
    }

    final void awaitState(String job, JobState state) {
        eventually(() -> assertThat(report(job).getState()).isEqualTo(state));
    }

    final void awaitState(String node, NodeState state) {
        eventually(() -> assertThat(node(node).getState()).isEqualTo(state));
    }

    /** Returns one of the jobs that waited when the test began, from 0. */
    final String job(int position) {
        if (waiting.isEmpty()) {
            waiting = waiting(rm.poll());
        }
        return waiting.get(position);
    }

    static List<String> waiting(Poll poll) {
        return poll.jobs().stream()
                .filter(job -> job.getState() == JobState.IDLE)
                .map(JobReport::getJobId)
                .toList();
    }

    final JobReport report(String id) {
        return report(rm.poll(), id);
    }

    static JobReport report(Poll poll, String id) {
        Optional<JobReport> report =
                poll.jobs().stream().filter(job -> job.getJobId().equals(id)).findFirst();
        assertThat(report).as("report of job %s", id).isPresent();
        return report.orElseThrow();
    }

    final String idleNode(int position) {
        return rm.poll().nodes().stream()
                .filter(node -> node.getState() == NodeState.IDLE)
                .skip(position)
                .findFirst()
                .orElseThrow()
                .getNodeId();
    }

    final NodeReport node(String name) {
        return node(rm.poll(), name);
    }

    static NodeReport node(Poll poll, String name) {
        return poll.nodes().stream()
                .filter(node -> node.getNodeId().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the command to start a job; on these nodes. */
    final RmCommand start(String job, NodeAllocation... where) {
        return RmCommand.newBuilder(resize(CommandKind.START_JOB, job, where))
                .setWalltimeSeconds(100_000L)
                .build();
    }

    /** Returns a command that tells a job nodes. */
    final RmCommand resize(CommandKind kind, String job, NodeAllocation... nodes) {
        return RmCommand.newBuilder(command(kind, job))
                .setAllocation(List.of(nodes))
                .build();
    }

    final RmCommand reserve(String reservation, String node) {
        long now = rm.now().getEpochSecond();
        return RmCommand.newBuilder(about(CommandKind.CREATE_RESERVATION, reservation))
                .setAllocation(List.of(new NodeAllocation(node, 1)))
                .setArguments(List.of(
                        new NameValue(CommandArguments.END, Long.toString(now + 600)),
                        new NameValue(CommandArguments.START, Long.toString(now))))
                .build();
    }

    /** Returns a command about a node or a reservation. */
    final RmCommand about(CommandKind kind, String object) {
        return RmCommand.newBuilder(command(kind, ""))
                .setJobId(null)
                .setObjectId(object)
                .build();
    }

    static RmCommand with(RmCommand command, String name, String value) {
        return RmCommand.newBuilder(command)
                .setArguments(List.of(new NameValue(name, value)))
                .build();
    }

    final RmCommand command(CommandKind kind, String job) {
        commands++;
        return Commands.builder(CLUSTER, commands, kind, job, rm.now()).build();
    }
}
