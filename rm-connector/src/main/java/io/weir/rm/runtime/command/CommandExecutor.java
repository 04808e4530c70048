package io.weir.rm.runtime.command;

import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmException;
import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out commands, one after the other by number, each at most once, and answers each. A command that an earlier
 * process or an attempt without an answer may have carried out is repeated only after the resource manager said that it
 * was not. Before each the connector makes sure that it is still the one to do it. Answers are handed on only when the
 * resource manager has made them safe. One thread.
 */
public final class CommandExecutor {
    private static final Logger log = LoggerFactory.getLogger(CommandExecutor.class);

    private final ResourceManager rm;
    private final ResultSink results;
    private final Ownership ownership;
    private final Deque<Pending> queue = new ArrayDeque<>();

    /** Answers that wait for {@link ResourceManager#sync}. */
    private final List<Runnable> unpublished = new ArrayList<>();

    private long lastFinished;
    private long lastAccepted;
    private boolean fullPollWanted;

    /**
     * A command in the queue; {@code ask} when it may have been carried out before, {@code announced} when the resource
     * manager may have begun it.
     */
    private record Pending(RmCommand command, boolean ask, boolean announced) {
        private Pending(RmCommand command, boolean ask) {
            this(command, ask, false);
        }
    }

    /** Creates an executor that takes over where {@code backlog} says the work was left. */
    public CommandExecutor(ResourceManager rm, Backlog backlog, ResultSink results, Ownership ownership) {
        this.rm = rm;
        this.results = results;
        this.ownership = ownership;
        this.lastFinished = backlog.lastFinished();
        this.lastAccepted = backlog.lastSeen();
        backlog.unanswered().forEach(command -> queue.add(new Pending(command, true)));
    }

    /** Takes a command into the queue, unless it was taken before. */
    public void accept(RmCommand command) {
        accept(command, false);
    }

    /** Takes a command into the queue that an older epoch may have begun, unless it was taken before. */
    public void inherit(RmCommand command) {
        accept(command, true);
    }

    private void accept(RmCommand command, boolean ask) {
        if (command.getNumber() <= lastAccepted) {
            log.debug(
                    "command={} number={} seen before, last is {}",
                    command.getCommandId(),
                    command.getNumber(),
                    lastAccepted);
            return;
        }
        if (command.getNumber() != lastAccepted + 1) {
            log.warn(
                    "command={} number={} follows number {}: commands between them were not readable or are lost",
                    command.getCommandId(),
                    command.getNumber(),
                    lastAccepted);
        }
        lastAccepted = command.getNumber();
        queue.add(new Pending(command, ask));
    }

    /** Returns the greatest number of a command taken in; 0 before the first. */
    public long lastAccepted() {
        return lastAccepted;
    }

    /** Returns the number of the last command finished; 0 before the first. */
    public long lastFinished() {
        return lastFinished;
    }

    /** Says whether no command waits. */
    public boolean isIdle() {
        return queue.isEmpty();
    }

    /** Says whether a full poll is asked for by a command, carried out or still in the queue. */
    public boolean wantsFullPoll() {
        return fullPollWanted
                || queue.stream().anyMatch(pending -> pending.command().getKind() == CommandKind.FULL_POLL);
    }

    /** Says whether a command asked for a full poll since the last call, and forgets it. */
    public boolean takeFullPollWanted() {
        boolean wanted = fullPollWanted;
        fullPollWanted = false;
        return wanted;
    }

    /**
     * Carries out the queue and answers what was finished.
     *
     * @throws RetriableRmException if the resource manager went away; the rest stays in the queue
     * @throws ReplacedException if another connector has taken over; the rest is not carried out
     */
    public void drain() {
        try {
            while (!queue.isEmpty()) {
                announceStarts();
                finishFirst();
            }
        } finally {
            publish();
        }
    }

    private void publish() {
        if (!unpublished.isEmpty()) {
            rm.sync();
            unpublished.forEach(Runnable::run);
            unpublished.clear();
        }
    }

    /** Lets the resource manager begin the starts at the head of the queue together. */
    private void announceStarts() {
        List<RmCommand> starts = new ArrayList<>();
        for (Pending pending : queue) {
            if (pending.command().getKind() != CommandKind.START_JOB
                    || pending.ask()
                    || pending.announced()
                    || lateness(pending.command()) != null) {
                break;
            }
            starts.add(pending.command());
        }
        if (starts.size() < 2) {
            return;
        }
        ownership.confirm();
        // Until the announcement is over nobody knows which of them were begun.
        markFirst(starts.size(), true, false);
        rm.announce(starts);
        markFirst(starts.size(), false, true);
    }

    private void markFirst(int count, boolean ask, boolean announced) {
        List<Pending> rest = new ArrayList<>(queue);
        queue.clear();
        for (int i = 0; i < rest.size(); i++) {
            queue.add(i < count ? new Pending(rest.get(i).command(), ask, announced) : rest.get(i));
        }
    }

    private void finishFirst() {
        Pending pending = queue.element();
        RmCommand command = pending.command();
        @Nullable RmAnswer answer = pending.ask() ? askWhatIsTrue(command) : null;
        if (answer == null) {
            ownership.confirm();
            @Nullable String lateness = pending.announced() ? null : lateness(command);
            if (lateness != null) {
                log.warn("command={} kind={} {}", command.getCommandId(), command.getKind(), lateness);
                unpublished.add(() -> results.expired(command, lateness));
                finished(command);
                return;
            }
            answer = carryOut(command);
        }
        RmAnswer word = answer;
        unpublished.add(() -> results.answered(command, word));
        finished(command);
    }

    private void finished(RmCommand command) {
        queue.remove();
        lastFinished = Math.max(lastFinished, command.getNumber());
    }

    private @Nullable RmAnswer askWhatIsTrue(RmCommand command) {
        CommandCheck check = rm.lookup(command);
        if (check.verdict() == CommandCheck.Verdict.UNKNOWN) {
            check = PollEvidence.judge(command, rm.poll());
        }
        log.info(
                "command={} number={} kind={} may have been carried out before: {}",
                command.getCommandId(),
                command.getNumber(),
                command.getKind(),
                check.verdict());
        return check.answer();
    }

    private @Nullable String lateness(RmCommand command) {
        @Nullable Instant expiresAt = command.getExpiresAt();
        if (expiresAt == null) {
            return null;
        }
        Instant now = rm.now();
        return now.isAfter(expiresAt) ? "expired at " + expiresAt + ", it is " + now : null;
    }

    private RmAnswer carryOut(RmCommand command) {
        if (command.getKind() == CommandKind.FULL_POLL) {
            fullPollWanted = true;
            return RmAnswer.done(rm.now());
        }
        if (!rm.capabilities().commands().contains(command.getKind())) {
            return RmAnswer.refused(command.getKind() + " is not supported by resource manager "
                    + rm.capabilities().type());
        }
        try {
            return rm.execute(command);
        } catch (RetriableRmException e) {
            queue.remove();
            queue.addFirst(new Pending(command, true));
            throw e;
        } catch (RmException e) {
            log.error("command={} kind={} failed for good", command.getCommandId(), command.getKind(), e);
            return RmAnswer.refused(String.valueOf(e.getMessage()));
        }
    }
}
