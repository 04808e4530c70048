package io.weir.rm.runtime.command;

import io.weir.rm.runtime.fact.FinishedCommands;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Execution;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmAnswer;
import io.weir.rm.spi.RmException;
import io.weir.schemas.CommandKind;
import io.weir.schemas.RmCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out commands, each at most once, and answers each. They are begun in the order of their numbers, but every other
 * turn is a start's, if there is one that waits behind commands about other jobs. What takes the resource manager a while is
 * looked at again when it is due; meanwhile later commands are begun, those about the same job or object apart. A command that
 * an earlier process or an attempt without an answer may have carried out is repeated only after the resource manager said
 * that it was not. Before each, at most 10 ms before it, the connector makes sure that it is still the one to do it. Answers are
 * handed on only when the resource manager has made them safe. One thread.
 */
public final class CommandExecutor {
    private static final Logger log = LoggerFactory.getLogger(CommandExecutor.class);

    /**
     * Several commands and looks in a row ask once whether another connector has taken over: it takes another one longer to begin,
     * and a pause of this process is longer, too.
     */
    private static final long CONFIRMED_FOR_NANOS = Duration.ofMillis(10).toNanos();

    /** So many starts are told of before they are executed. */
    private static final int STARTS_EXPECTED = 4;

    private final ResourceManager rm;
    private final ResultSink results;
    private final Ownership ownership;
    private final LongSupplier nanos;

    private final UnfinishedCommands unfinished = new UnfinishedCommands();

    /** Ongoing commands, the one to look at next first. */
    private final TreeSet<PendingCommand> ongoing = new TreeSet<>(PendingCommand.BY_DUE);

    /** How many of them the resource manager was told of. */
    private int underWay;

    /** Answers that wait for {@link ResourceManager#sync}. */
    private final List<Runnable> unpublished = new ArrayList<>();

    /** Commands found to have expired in this call, and the first of them. */
    private int expired;

    private @Nullable String firstExpired;

    private long lastConfirmed;
    private long greatestFinished;
    private final CommandMemory memory;
    private boolean fullPollWanted;
    private boolean beginsNoMore;

    /**
     * Creates an executor that takes over where {@code backlog} says the work was left.
     *
     * @param nanos a monotonic clock
     */
    public CommandExecutor(
            ResourceManager rm, Backlog backlog, ResultSink results, Ownership ownership, LongSupplier nanos) {
        this.rm = rm;
        this.results = results;
        this.ownership = ownership;
        this.nanos = nanos;
        this.lastConfirmed = nanos.getAsLong() - CONFIRMED_FOR_NANOS;
        this.greatestFinished = backlog.lastFinished();
        this.memory = new CommandMemory(backlog, rm.now());
        backlog.unanswered().forEach(command -> unfinished.add(new PendingCommand(command, true)));
    }

    /** Takes a command in, unless it was taken in before; one that comes after a later one is answered as expired. */
    public void accept(RmCommand command) {
        accept(command, false);
    }

    /** Takes in a command that an older epoch may have begun, unless it was taken in before. */
    public void inherit(RmCommand command) {
        accept(command, true);
    }

    private void accept(RmCommand command, boolean ask) {
        long last = memory.last();
        switch (memory.take(command)) {
            case NEXT -> unfinished.add(new PendingCommand(command, ask));
            case BEHIND_A_GAP -> {
                log.warn(
                        "command={} number={} follows number {}: commands between them were not readable or are lost",
                        command.getCommandId(),
                        command.getNumber(),
                        last);
                unfinished.add(new PendingCommand(command, ask));
            }
            case REPEATED ->
                log.debug("command={} number={} was taken in before", command.getCommandId(), command.getNumber());
            case OLD ->
                log.warn(
                        "command={} number={} kind={} is passed over: an earlier process had commands up to {}",
                        command.getCommandId(),
                        command.getNumber(),
                        command.getKind(),
                        last);
            case LATE -> refuseLate(command, last);
        }
    }

    /**
     * A later command was taken in first: this one was not readable when its turn came, or the scheduler, restored from an older
     * copy, gives numbers again. Reports have counted its number as finished, so it is not carried out any more: the scheduler
     * decides anew, by a full poll.
     */
    private void refuseLate(RmCommand command, long last) {
        String why = "came after command " + last + " was taken in, and was not carried out";
        log.warn(
                "command={} number={} kind={} {}", command.getCommandId(), command.getNumber(), command.getKind(), why);
        results.expired(command, why);
        fullPollWanted = true;
    }

    /** Returns the greatest number of a command taken in; 0 before the first. */
    public long lastAccepted() {
        return memory.last();
    }

    /** Returns the number up to which every command is finished; 0 before the first. */
    public long lastFinished() {
        return unfinished.isEmpty() ? memory.last() : unfinished.first().number() - 1;
    }

    /** Returns the greatest number of a command finished; 0 before the first. */
    public long greatestFinished() {
        return Math.max(greatestFinished, lastFinished());
    }

    /** Returns which commands are finished now. */
    public FinishedCommands finished() {
        Map<String, Long> first = new HashMap<>();
        for (PendingCommand pending : unfinished.all()) {
            @Nullable String job = pending.command().getJobId();
            if (job != null) {
                first.putIfAbsent(job, pending.number());
            }
        }
        return new FinishedCommands(lastFinished(), memory.last(), first);
    }

    /** Says whether every command is finished. */
    public boolean isIdle() {
        return unfinished.isEmpty();
    }

    /** From here on only looks at what is under way; what waits for others is left to whoever comes next. */
    public void beginNoMore() {
        beginsNoMore = true;
        for (PendingCommand pending : List.copyOf(ongoing)) {
            @Nullable Ongoing begun = pending.ongoing();
            if (begun != null && !begun.isUnderWay()) {
                ongoing.remove(pending);
                pending.doubt();
            }
        }
    }

    /** Returns how many commands were begun, if only by waiting for others, and are not answered. */
    public int ongoing() {
        return ongoing.size();
    }

    /** Says whether a full poll is asked for by a command, carried out or not. */
    public boolean wantsFullPoll() {
        return fullPollWanted
                || unfinished.all().stream()
                        .anyMatch(pending -> pending.command().getKind() == CommandKind.FULL_POLL);
    }

    /** Says whether a command asked for a full poll since the last call, and forgets it. */
    public boolean takeFullPollWanted() {
        boolean wanted = fullPollWanted;
        fullPollWanted = false;
        return wanted;
    }

    /** Returns when there is something to do, in monotonic nanoseconds; empty when every command is finished. */
    public OptionalLong due() {
        long now = nanos.getAsLong();
        boolean canBegin = unfinished.subjects() > ongoing.size() && mayBegin();
        if (!canBegin && ongoing.isEmpty()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                canBegin || ongoing.first().due() - now <= 0
                        ? now
                        : ongoing.first().due());
    }

    /**
     * Carries out every command at once, for a resource manager with virtual time.
     *
     * @throws RetriableRmException if the resource manager went away; the rest is not finished
     * @throws ReplacedException if another connector has taken over; the rest is not carried out
     * @throws RmException if the resource manager does not answer at once
     */
    public void drain() {
        advance(unfinished.inOrder(), () -> false);
        if (!isIdle()) {
            throw new RmException("resource manager " + rm.capabilities().type() + " has virtual time, but command "
                    + unfinished.first().command().getCommandId() + " was not answered at once");
        }
    }

    /**
     * Begins what can be begun, looks at what is due, and answers what was finished. At least one step is made if any can
     * be.
     *
     * @param enough whether to leave the rest for the next call
     * @throws RetriableRmException if the resource manager went away; the rest is not finished
     * @throws ReplacedException if another connector has taken over; the rest is not carried out
     */
    public void advance(BooleanSupplier enough) {
        advance(unfinished.withStartsAhead(), enough);
    }

    private void advance(UnfinishedCommands.Turns turns, BooleanSupplier enough) {
        boolean stepped = false;
        try {
            // Commands may come in while another is carried out: then the connector asks whether it was replaced.
            for (@Nullable PendingCommand next = turns.next(); next != null; next = turns.next()) {
                if (!unfinished.isFirstOfSubject(next) || !canStep(next)) {
                    continue;
                }
                if (stepped && enough.getAsBoolean()) {
                    return;
                }
                step(next);
                stepped = true;
            }
        } finally {
            tellExpired();
            publish();
        }
    }

    private void noteExpired(String which) {
        log.debug("{}", which);
        expired++;
        if (firstExpired == null) {
            firstExpired = which;
        }
    }

    /** A resource manager that is slow for a while lets many expire. */
    private void tellExpired() {
        if (expired == 1) {
            log.warn("{}", firstExpired);
        } else if (expired > 1) {
            log.warn("commands={} expired before their turn, such as {}", expired, firstExpired);
        }
        expired = 0;
        firstExpired = null;
    }

    private boolean canStep(PendingCommand pending) {
        return pending.ongoing() == null ? mayBegin() : nanos.getAsLong() - pending.due() >= 0;
    }

    private boolean mayBegin() {
        return !beginsNoMore && underWay < rm.mostUnderWay();
    }

    private void publish() {
        if (!unpublished.isEmpty()) {
            rm.sync();
            unpublished.forEach(Runnable::run);
            unpublished.clear();
        }
    }

    private void step(PendingCommand pending) {
        @Nullable Ongoing begun = pending.ongoing();
        if (begun != null) {
            look(pending, begun);
        } else if (pending.isDoubtful()) {
            lookUp(pending);
        } else {
            carryOut(pending);
        }
    }

    private void confirm() {
        if (nanos.getAsLong() - lastConfirmed >= CONFIRMED_FOR_NANOS) {
            ownership.confirm();
            lastConfirmed = nanos.getAsLong();
        }
    }

    private void look(PendingCommand pending, Ongoing begun) {
        confirm();
        ongoing.remove(pending);
        underWay -= begun.isUnderWay() ? 1 : 0;
        // Should the look fail, nobody knows.
        pending.doubt();
        try {
            judge(pending, guarded(begun::look));
        } catch (RetriableRmException e) {
            throw e;
        } catch (RmException e) {
            answer(pending, failed(pending, e));
        }
    }

    private void lookUp(PendingCommand pending) {
        RmCommand command = pending.command();
        confirm();
        CommandCheck check = lookedUp(command);
        log.info(
                "command={} number={} kind={} may have been carried out before: {}",
                command.getCommandId(),
                command.getNumber(),
                command.getKind(),
                check.verdict());
        judge(pending, check);
    }

    /** Looks a command up; where that fails for good, the state of the job has to tell. */
    private CommandCheck lookedUp(RmCommand command) {
        try {
            return guarded(() -> rm.lookup(command));
        } catch (RetriableRmException e) {
            throw e;
        } catch (RmException e) {
            log.error("command={} kind={} cannot be looked up", command.getCommandId(), command.getKind(), e);
            return CommandCheck.unknown();
        }
    }

    /** Has a fault in the handling of one command be the end of that command alone, not of the connector. */
    private static <T> T guarded(Supplier<T> call) {
        try {
            return call.get();
        } catch (RmException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new RmException("a fault of the connector: " + e, e);
        }
    }

    private void judge(PendingCommand pending, CommandCheck check) {
        switch (check.verdict()) {
            case ANSWERED -> answer(pending, answerOf(check));
            case ONGOING -> await(pending, ongoingOf(check));
            case NOT_DONE -> {
                pending.clear();
                carryOut(pending);
            }
            case UNKNOWN -> judge(pending, PollEvidence.judge(pending.command(), Reading.of(rm::poll)));
        }
    }

    private static RmAnswer answerOf(CommandCheck check) {
        if (check.answer() == null) {
            throw new IllegalStateException("no answer in " + check);
        }
        return check.answer();
    }

    private static Ongoing ongoingOf(CommandCheck check) {
        if (check.ongoing() == null) {
            throw new IllegalStateException("nothing to look at in " + check);
        }
        return check.ongoing();
    }

    private void carryOut(PendingCommand pending) {
        RmCommand command = pending.command();
        confirm();
        @Nullable String lateness = lateness(command);
        if (lateness != null) {
            noteExpired("command=" + command.getCommandId() + " kind=" + command.getKind() + " " + lateness);
            finish(pending, () -> results.expired(command, lateness));
            return;
        }
        if (command.getKind() == CommandKind.FULL_POLL) {
            fullPollWanted = true;
            answer(pending, RmAnswer.done(rm.now()));
            return;
        }
        if (!rm.capabilities().commands().contains(command.getKind())) {
            answer(
                    pending,
                    RmAnswer.refused(command.getKind() + " is not supported by resource manager "
                            + rm.capabilities().type()));
            return;
        }
        Execution execution;
        try {
            execution = guarded(() -> execute(pending));
        } catch (RetriableRmException e) {
            pending.doubt();
            throw e;
        } catch (RmException e) {
            execution = failed(pending, e);
        }
        if (execution instanceof RmAnswer answer) {
            answer(pending, answer);
        } else {
            await(pending, (Ongoing) execution);
        }
    }

    private Execution execute(PendingCommand pending) {
        RmCommand command = pending.command();
        if (command.getKind() == CommandKind.START_JOB) {
            rm.expect(unfinished.startsBehind(pending, STARTS_EXPECTED));
        }
        return rm.execute(command);
    }

    /** A predecessor that did not know of this one yet may have carried it out meanwhile: then the answer it had is true. */
    private RmAnswer failed(PendingCommand pending, RmException e) {
        RmCommand command = pending.command();
        try {
            CommandCheck check = lookedUp(command);
            if (check.verdict() == CommandCheck.Verdict.ANSWERED) {
                log.warn("command={} was carried out meanwhile: {}", command.getCommandId(), e.getMessage());
                return answerOf(check);
            }
        } catch (RetriableRmException away) {
            pending.doubt();
            throw away;
        }
        log.error("command={} kind={} failed for good", command.getCommandId(), command.getKind(), e);
        return RmAnswer.refused(String.valueOf(e.getMessage()));
    }

    private void await(PendingCommand pending, Ongoing begun) {
        pending.await(begun, nanos.getAsLong());
        ongoing.add(pending);
        underWay += begun.isUnderWay() ? 1 : 0;
    }

    private void answer(PendingCommand pending, RmAnswer answer) {
        finish(pending, () -> results.answered(pending.command(), answer));
    }

    private void finish(PendingCommand pending, Runnable publication) {
        unpublished.add(publication);
        unfinished.remove(pending);
        greatestFinished = Math.max(greatestFinished, pending.number());
    }

    private @Nullable String lateness(RmCommand command) {
        @Nullable Instant expiresAt = command.getExpiresAt();
        if (expiresAt == null) {
            return null;
        }
        Instant now = rm.now();
        return now.isAfter(expiresAt) ? "expired at " + expiresAt + ", it is " + now : null;
    }
}
