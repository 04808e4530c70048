package io.weir.rm.runtime;

import io.weir.rm.runtime.command.Backlog;
import io.weir.rm.runtime.command.CommandExecutor;
import io.weir.rm.runtime.command.CommandFeed;
import io.weir.rm.runtime.command.HeartbeatProgress;
import io.weir.rm.runtime.command.Incoming;
import io.weir.rm.runtime.command.Reading;
import io.weir.rm.runtime.command.ReplacedException;
import io.weir.rm.runtime.command.ResultSink;
import io.weir.rm.runtime.fact.FactLog;
import io.weir.rm.runtime.fact.FactPublisher;
import io.weir.rm.runtime.fact.FinishedCommands;
import io.weir.rm.runtime.fact.PollTrouble;
import io.weir.rm.runtime.fact.PublishedPoll;
import io.weir.rm.spi.Poll;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.VirtualTime;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobReport;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One epoch of a connector: from its HELLO until it stops, is replaced, or loses the log. Opening finds out what earlier
 * epochs left undone; the first poll is full. One thread.
 */
final class Epoch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Epoch.class);

    private final ResourceManager rm;
    private final RunnerListener listener;
    private final FactLog facts;
    private final CommandFeed feed;
    private final FactPublisher publisher;
    private final CommandExecutor executor;
    private final long number;

    /** Tells how often the resource manager was away since the process began. */
    private final LongSupplier failures;

    private boolean replaced;

    private Epoch(
            ResourceManager rm,
            RunnerListener listener,
            FactLog facts,
            CommandFeed feed,
            FactPublisher publisher,
            Backlog backlog,
            long number,
            LongSupplier nanos,
            LongSupplier failures) {
        this.failures = failures;
        this.rm = rm;
        this.listener = listener;
        this.facts = facts;
        this.feed = feed;
        this.publisher = publisher;
        this.number = number;
        this.executor = new CommandExecutor(rm, backlog, sink(publisher, listener), this::confirm, nanos);
    }

    /** Reads the backlog, then writes the HELLO. */
    static Epoch open(
            RunnerConfig config,
            ResourceManager rm,
            LogConnections connections,
            RunnerListener listener,
            LongSupplier nanos,
            LongSupplier failures) {
        boolean lockStep = rm.virtualTime().isPresent();
        FactLog facts = connections.openFacts(lockStep);
        try {
            CommandFeed feed = connections.openFeed(lockStep);
            try {
                Backlog backlog = feed.open();
                FactPublisher publisher = new FactPublisher(
                        facts, config.cluster(), config.connector(), lockStep ? null : longestPause(config));
                long number = publisher.hello(rm.capabilities(), rm.now());
                log.info(
                        "cluster={} connector={} epoch={} lastFinished={} unanswered={}",
                        config.cluster(),
                        config.connector(),
                        number,
                        backlog.lastFinished(),
                        backlog.unanswered().size());
                listener.epochOpened(number);
                Epoch epoch = new Epoch(rm, listener, facts, feed, publisher, backlog, number, nanos, failures);
                epoch.inherit();
                return epoch;
            } catch (RuntimeException e) {
                feed.close();
                throw e;
            }
        } catch (RuntimeException e) {
            facts.close();
            throw e;
        }
    }

    /** Returns how long polls are apart at most: those of a resource manager that answers may wait for the scheduler. */
    private static Duration longestPause(RunnerConfig config) {
        Duration interval = config.pollInterval();
        return interval.compareTo(LiveRun.RAREST_POLLS) < 0 ? LiveRun.RAREST_POLLS : interval;
    }

    private static ResultSink sink(FactPublisher publisher, RunnerListener listener) {
        return new ResultSink() {
            @Override
            public void answered(RmCommand command, RmAnswer answer) {
                publisher.result(command, answer);
                listener.answered(answer.outcome());
            }

            @Override
            public void expired(RmCommand command, String message) {
                publisher.expired(command, message);
                listener.answered(CommandOutcome.EXPIRED);
            }
        };
    }

    CommandExecutor executor() {
        return executor;
    }

    /** Says whether another connector of this id has opened a later epoch. */
    boolean isReplaced() {
        return replaced;
    }

    /** Returns the jobs of which another look would soon show more than the last one. */
    Set<String> settling() {
        return rm.settling();
    }

    /** Looks at single jobs and publishes what that adds; says whether it was enough. */
    boolean look(Set<String> jobs) {
        FinishedCommands finished = executor.finished();
        Optional<List<JobReport>> seen = Reading.of(() -> rm.look(jobs));
        if (seen.isEmpty()) {
            return false;
        }
        rm.sync();
        publisher.look(seen.get(), finished);
        return true;
    }

    /** Looks at the resource manager and publishes what it adds. */
    PublishedPoll poll(boolean full) {
        FinishedCommands finished = executor.finished();
        Poll poll = Reading.of(rm::poll);
        rm.sync();
        PublishedPoll published = publisher.poll(
                poll, rm.capabilities(), finished, full, new PollTrouble(failures.getAsLong(), rm.problems()));
        listener.problems(published.malformed());
        listener.polled(
                published,
                poll.rmTime(),
                rm.virtualTime().map(VirtualTime::progress).orElse(null));
        return published;
    }

    /**
     * Makes sure that this is the latest epoch. Not asked when time is virtual: such a resource manager lives in this
     * process, where no other connector reaches it.
     */
    private void confirm() {
        if (rm.virtualTime().isEmpty()) {
            take(feed.catchUp());
        }
        if (replaced) {
            throw new ReplacedException(number);
        }
    }

    /**
     * Takes in the commands that came between the backlog and the HELLO: whoever had the epoch before did not know of this
     * one yet. Not asked when time is virtual, as in {@link #confirm}.
     */
    private void inherit() {
        if (rm.virtualTime().isEmpty()) {
            take(feed.takeOver(), executor::inherit);
        }
    }

    /** Takes in what the log has, waiting at most {@code timeout}; returns the iterations among it. */
    List<Incoming.Decided> receive(Duration timeout) {
        return take(feed.poll(timeout));
    }

    private List<Incoming.Decided> take(List<Incoming> arrived) {
        return take(arrived, executor::accept);
    }

    private List<Incoming.Decided> take(List<Incoming> arrived, Consumer<RmCommand> commands) {
        List<Incoming.Decided> iterations = new ArrayList<>();
        for (Incoming incoming : arrived) {
            if (incoming instanceof Incoming.Ordered ordered) {
                commands.accept(ordered.command());
            } else if (incoming instanceof Incoming.Decided decided) {
                iterations.add(decided);
            } else if (incoming instanceof Incoming.Unreadable unreadable) {
                log.warn(
                        "topic={} partition={} offset={} cannot be read, and goes to the dead letters: {}",
                        unreadable.letter().getTopic(),
                        unreadable.letter().getPartition(),
                        unreadable.letter().getOffset(),
                        unreadable.letter().getMessage());
                publisher.deadLetter(unreadable.letter());
                listener.unreadable();
            } else if (incoming instanceof Incoming.HelloSeen hello && hello.epoch() > number) {
                log.error(
                        "epoch={} another connector of the same id has opened epoch {}: this one stops",
                        number,
                        hello.epoch());
                replaced = true;
            }
        }
        return iterations;
    }

    /** Asks how far the scheduler has taken in heartbeats; empty where that is not known. */
    Optional<HeartbeatProgress> progress() {
        return feed.progress();
    }

    void schedulerBehind(Duration delay) {
        listener.schedulerBehind(delay);
    }

    /** Waits until all that was published is safe. */
    void flush() {
        publisher.flush();
    }

    /** Waits until all that was published is safe, and notes that its commands need no second look. */
    void settle() {
        flush();
        settled();
    }

    /** Notes that all results so far are safe: a heartbeat that counted them was answered. */
    void settled() {
        feed.finished(executor.lastFinished(), executor.greatestFinished());
    }

    @Override
    public void close() {
        try {
            feed.close();
        } finally {
            facts.close();
        }
    }
}
