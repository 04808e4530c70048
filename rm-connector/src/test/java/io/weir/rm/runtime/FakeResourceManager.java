package io.weir.rm.runtime;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmCapabilities;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroTrust;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A live resource manager whose jobs and failures a test sets. It remembers what it was told, in order. */
public final class FakeResourceManager implements ResourceManager {

    static {
        AvroTrust.install();
    }

    /** Time between two looks at a command that takes its time. */
    public static final Duration LOOK_EVERY = Duration.ofMillis(300);

    private final Map<String, NodeReport> nodes = new LinkedHashMap<>();
    private final Map<String, JobReport> jobs = new LinkedHashMap<>();
    private final Map<String, RmAnswer> answers = new LinkedHashMap<>();
    private final List<String> calls = new ArrayList<>();
    private final List<Long> effects = new ArrayList<>();
    private final List<List<String>> expected = new ArrayList<>();

    /** Jobs whose commands take their time. */
    private final Set<String> slow = new HashSet<>();

    /** Jobs whose commands wait for others. */
    private final Set<String> inLine = new HashSet<>();

    /** Commands that were begun, by id. */
    private final Set<String> begun = new HashSet<>();

    private Instant now = Instant.ofEpochSecond(1_000);
    private Runnable onExecute = () -> {};
    private Runnable onPoll = () -> {};
    private Runnable onLook = () -> {};
    private boolean away;
    private boolean settling;
    private boolean looks;
    private long problems;
    private boolean losesAnswers;
    private boolean remembers = true;

    /** So much of what is polled from here on is not understood. */
    public void setProblems(long count) {
        problems = count;
    }

    @Override
    public long problems() {
        return problems;
    }

    @Override
    public void expect(List<RmCommand> commands) {
        expected.add(commands.stream().map(RmCommand::getJobId).toList());
    }

    /** Returns the jobs of the commands that it was told would come next, each time. */
    public List<List<String>> expected() {
        return expected;
    }

    /** Every call but {@code now} and {@code capabilities} fails from here on, or does so no more. */
    public void setAway(boolean isAway) {
        away = isAway;
    }

    /** Whether single jobs can be looked at from here on. */
    public void setLooks(boolean canLook) {
        looks = canLook;
    }

    /** Runs {@code action} while single jobs are looked at. */
    public void onLook(Runnable action) {
        onLook = action;
    }

    /** Whether polls from here on see something that takes a moment. */
    public void setSettling(boolean isSettling) {
        settling = isSettling;
    }

    /** Runs {@code action} while a command is carried out. */
    public void onExecute(Runnable action) {
        onExecute = action;
    }

    /** Runs {@code action} while it is polled. */
    public void onPoll(Runnable action) {
        onPoll = action;
    }

    /** Commands take effect, but their answers get lost. */
    public void setLosesAnswers(boolean loses) {
        losesAnswers = loses;
    }

    /** Whether it keeps the ids of commands. */
    public void setRemembers(boolean keepsIds) {
        remembers = keepsIds;
    }

    /** Commands about that job are ongoing from here on, until {@link #arrive}. */
    public void takeTime(String job) {
        slow.add(job);
    }

    /** Commands about that job wait for others from here on, until {@link #arrive}. */
    public void waitInLine(String job) {
        inLine.add(job);
    }

    /** What was begun about that job takes effect at the next look. */
    public void arrive(String job) {
        slow.remove(job);
        inLine.remove(job);
    }

    /** Returns the numbers of the commands that took effect, in order. */
    public List<Long> effects() {
        return effects;
    }

    public void setNow(Instant time) {
        now = time;
    }

    public void node(String name, NodeState state) {
        nodes.put(
                name,
                NodeReport.newBuilder()
                        .setCluster("c1")
                        .setNodeId(name)
                        .setState(state)
                        .setProcs(8)
                        .build());
    }

    public void removeNode(String name) {
        nodes.remove(name);
    }

    public void job(String id, JobState state) {
        boolean started = state != JobState.IDLE && state != JobState.HOLD;
        jobs.put(
                id,
                JobReport.newBuilder()
                        .setCluster("c1")
                        .setJobId(id)
                        .setQueueSequence(1)
                        .setState(state)
                        .setTasks(1)
                        .setSubmitTime(Instant.ofEpochSecond(500))
                        .setStartTime(started ? now : null)
                        .build());
    }

    public void removeJob(String id) {
        jobs.remove(id);
    }

    /** Returns commands executed and looked up, such as {@code execute 3} and {@code lookup 3}. */
    public List<String> calls() {
        return calls;
    }

    @Override
    public RmCapabilities capabilities() {
        return new RmCapabilities(
                "fake", "1", Set.of(CommandKind.START_JOB, CommandKind.CANCEL_JOB, CommandKind.REQUEUE_JOB));
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public Poll poll() {
        check();
        onPoll.run();
        return new Poll(now, List.copyOf(nodes.values()), List.copyOf(jobs.values()));
    }

    @Override
    public Set<String> settling() {
        return settling ? Set.copyOf(jobs.keySet()) : Set.of();
    }

    @Override
    public Optional<List<JobReport>> look(Set<String> numbers) {
        check();
        calls.add("look " + String.join(",", new TreeSet<>(numbers)));
        onLook.run();
        return looks
                ? Optional.of(numbers.stream()
                        .sorted()
                        .flatMap(number -> Stream.ofNullable(jobs.get(number)))
                        .toList())
                : Optional.empty();
    }

    @Override
    public CommandCheck lookup(RmCommand command) {
        check();
        calls.add("lookup " + command.getNumber());
        if (!remembers) {
            return CommandCheck.unknown();
        }
        RmAnswer answer = answers.get(command.getCommandId());
        if (answer != null) {
            return CommandCheck.answered(answer);
        }
        return begun.contains(command.getCommandId())
                ? CommandCheck.ongoing(new Slow(command))
                : CommandCheck.notDone();
    }

    @Override
    public Execution execute(RmCommand command) {
        check();
        calls.add("execute " + command.getNumber());
        onExecute.run();
        if (inLine.contains(command.getJobId())) {
            return new InLine(command);
        }
        begun.add(command.getCommandId());
        return slow.contains(command.getJobId()) ? new Slow(command) : finish(command);
    }

    private RmAnswer finish(RmCommand command) {
        RmAnswer answer = act(command);
        answers.put(command.getCommandId(), answer);
        effects.add(command.getNumber());
        if (losesAnswers) {
            throw new RetriableRmException("no answer, by the test");
        }
        return answer;
    }

    /** A command that waits for its job. */
    private final class Slow implements Ongoing {
        private final RmCommand command;

        Slow(RmCommand command) {
            this.command = command;
        }

        @Override
        public Duration pause() {
            return LOOK_EVERY;
        }

        @Override
        public CommandCheck look() {
            check();
            if (slow.contains(command.getJobId())) {
                return CommandCheck.ongoing(this);
            }
            @Nullable RmAnswer known = answers.get(command.getCommandId());
            return CommandCheck.answered(known == null ? finish(command) : known);
        }
    }

    /** A command that waits for others, and of which nothing is known here. */
    private final class InLine implements Ongoing {
        private final RmCommand command;

        InLine(RmCommand command) {
            this.command = command;
        }

        @Override
        public Duration pause() {
            return LOOK_EVERY;
        }

        @Override
        public boolean isUnderWay() {
            return false;
        }

        @Override
        public CommandCheck look() {
            check();
            return inLine.contains(command.getJobId()) ? CommandCheck.ongoing(this) : CommandCheck.of(execute(command));
        }
    }

    private RmAnswer act(RmCommand command) {
        String id = command.getJobId();
        if (!jobs.containsKey(id)) {
            return RmAnswer.refused("there is no job " + id);
        }
        job(
                id,
                switch (command.getKind()) {
                    case START_JOB -> JobState.RUNNING;
                    case CANCEL_JOB -> JobState.CANCELLED;
                    default -> JobState.IDLE;
                });
        return RmAnswer.done(now);
    }

    private void check() {
        if (away) {
            throw new RetriableRmException("away, by the test");
        }
    }

    @Override
    public void close() {}
}
