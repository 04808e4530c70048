package io.weir.rm.runtime;

import io.weir.rm.runtime.command.Backlog;
import io.weir.rm.runtime.command.CommandFeed;
import io.weir.rm.runtime.command.HeartbeatProgress;
import io.weir.rm.runtime.command.Incoming;
import io.weir.rm.runtime.fact.FactLog;
import io.weir.rm.runtime.fact.FactOrigin;
import io.weir.rm.runtime.fact.LogUnavailableException;
import io.weir.schemas.CommandResult;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.Iteration;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/**
 * A log in memory that outlives the connectors writing to it. A scheduler may listen to every record; failures are set by
 * counting appends. One thread.
 */
public final class InMemoryLog implements LogConnections {

    /** One record of a fact topic; the origin is null for a HELLO. */
    public record Entry(Topic<?> topic, SpecificRecord fact, FactOrigin origin, String connector, long offset) {}

    /** What a kill -9 looks like from within: nothing catches it. */
    public static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final List<Entry> facts = new ArrayList<>();
    private final List<RmCommand> commands = new ArrayList<>();
    private final List<Incoming> others = new ArrayList<>();
    private Consumer<Entry> scheduler = entry -> {};
    private Runnable onPoll = () -> {};
    private Runnable onPolled = () -> {};
    private long appendsUntilKill = Long.MAX_VALUE;
    private long appendsUntilAway = Long.MAX_VALUE;
    private int commandsHeldBack;
    private OptionalLong takenIn = OptionalLong.empty();

    /** Has {@code listener} see every record as it is written. */
    public void onAppend(Consumer<Entry> listener) {
        scheduler = listener;
    }

    /** Runs {@code action} whenever a connector waits for the log. */
    public void onPoll(Runnable action) {
        onPoll = action;
    }

    /** Runs {@code action} whenever a connector has been given what the log holds: that is how a pause begins. */
    public void onPolled(Runnable action) {
        onPolled = action;
    }

    /** Kills the connector at the append after {@code appends} more; that record is not written. */
    public void killAfter(long appends) {
        appendsUntilKill = appends;
    }

    /** Takes the log away at the append after {@code appends} more, once; that record is not written. */
    public void awayAfter(long appends) {
        appendsUntilAway = appends;
    }

    /** Delivers each command only at the second poll after it was written, as another partition may. */
    public void holdBackCommands() {
        commandsHeldBack = 1;
    }

    /** Has the scheduler have taken in so many heartbeats, HELLOs included. */
    public void takeIn(long heartbeats) {
        takenIn = OptionalLong.of(heartbeats);
    }

    public void order(RmCommand command) {
        commands.add(command);
    }

    public void decide(Iteration iteration) {
        others.add(new Incoming.Decided(iteration));
    }

    /** Delivers something else. */
    public void deliver(Incoming other) {
        others.add(other);
    }

    public List<Entry> facts() {
        return facts;
    }

    public <T extends SpecificRecord> List<T> facts(Topic<T> topic) {
        return facts.stream()
                .filter(entry -> entry.topic().equals(topic))
                .map(entry -> topic.type().cast(entry.fact()))
                .toList();
    }

    /** Returns the heartbeats without the HELLOs. */
    public List<Heartbeat> heartbeats() {
        return facts(Topics.RM_HEARTBEATS).stream()
                .filter(heartbeat -> heartbeat.getNumber() > 0)
                .toList();
    }

    @Override
    public FactLog openFacts(boolean together) {
        return new Writer();
    }

    @Override
    public CommandFeed openFeed(boolean iterations) {
        return new Reader(iterations);
    }

    private void write(Topic<?> topic, SpecificRecord fact, FactOrigin origin, String connector) {
        if (appendsUntilKill-- == 0) {
            throw new Killed();
        }
        if (appendsUntilAway-- == 0) {
            throw new LogUnavailableException("away, by the test", null);
        }
        long offset =
                facts.stream().filter(entry -> entry.topic().equals(topic)).count();
        Entry entry = new Entry(topic, fact, origin, connector, offset);
        facts.add(entry);
        if (origin == null) {
            others.add(new Incoming.HelloSeen(offset));
        }
        scheduler.accept(entry);
    }

    private final class Writer implements FactLog {
        @Override
        public <T extends SpecificRecord> long appendFirst(Topic<T> topic, String entity, T fact, String connector) {
            write(topic, fact, null, connector);
            return facts.get(facts.size() - 1).offset();
        }

        @Override
        public <T extends SpecificRecord> void append(Topic<T> topic, String entity, T fact, FactOrigin origin) {
            write(topic, fact, origin, origin.connector());
        }

        @Override
        public <T extends SpecificRecord> void append(Topic<T> topic, String entity, T record) {
            facts.add(new Entry(topic, record, null, "", facts.size()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private final class Reader implements CommandFeed {
        private final boolean iterations;
        private int nextCommand;
        private int nextOther;
        private int visibleCommands;

        Reader(boolean iterations) {
            this.iterations = iterations;
        }

        @Override
        public Backlog open() {
            Set<Long> answered =
                    facts(Topics.RESULTS).stream().map(CommandResult::getNumber).collect(Collectors.toSet());
            List<RmCommand> unanswered = commands.stream()
                    .filter(command -> !answered.contains(command.getNumber()))
                    .toList();
            nextCommand = commands.size();
            visibleCommands = nextCommand;
            nextOther = others.size();
            long lastSeen =
                    commands.stream().mapToLong(RmCommand::getNumber).max().orElse(0);
            long lastFinished =
                    unanswered.isEmpty() ? lastSeen : unanswered.get(0).getNumber() - 1;
            return new Backlog(lastFinished, unanswered, lastSeen);
        }

        @Override
        public List<Incoming> takeOver() {
            return catchUp();
        }

        @Override
        public Optional<HeartbeatProgress> progress() {
            return takenIn.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new HeartbeatProgress(facts(Topics.RM_HEARTBEATS).size(), takenIn.getAsLong()));
        }

        @Override
        public List<Incoming> poll(Duration timeout) {
            onPoll.run();
            List<Incoming> incoming = catchUp();
            onPolled.run();
            return incoming;
        }

        @Override
        public List<Incoming> catchUp() {
            List<Incoming> incoming = new ArrayList<>();
            int visible = commandsHeldBack == 0 ? commands.size() : visibleCommands;
            visibleCommands = commands.size();
            while (nextCommand < visible) {
                incoming.add(new Incoming.Ordered(commands.get(nextCommand++)));
            }
            while (nextOther < others.size()) {
                Incoming other = others.get(nextOther++);
                if (iterations || !(other instanceof Incoming.Decided)) {
                    incoming.add(other);
                }
            }
            return incoming;
        }

        @Override
        public void finished(long upTo, long greatest) {}

        @Override
        public void close() {}
    }
}
