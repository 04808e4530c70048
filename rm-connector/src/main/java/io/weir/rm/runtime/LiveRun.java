package io.weir.rm.runtime;

import io.weir.rm.runtime.command.CommandExecutor;
import io.weir.rm.runtime.fact.LogUnavailableException;
import io.weir.rm.spi.RetriableRmException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes time by the clock: a poll every interval, and soon after a trigger, unless that names the jobs it is about: then a
 * look at these. Commands come in between as they come, and another look at those that wait for the resource manager when it is
 * due; a poll that is due comes before further commands. While jobs pour in, a poll waits until they pause, for a while. When the
 * resource manager does not answer, the next poll and the next command wait longer each time, and no heartbeat is sent meanwhile.
 * Commands that were left unanswered by an earlier process come before the first poll, if the resource manager is there.
 */
final class LiveRun {
    private static final Logger log = LoggerFactory.getLogger(LiveRun.class);

    private static final Duration SLICE = Duration.ofMillis(200);

    /** How long to wait for the log at a time when a trigger may fire meanwhile. */
    private static final Duration ALERT_SLICE = Duration.ofMillis(10);

    /** What a trigger reports may show a moment later: a job is queued after it was submitted. */
    private static final Duration AFTER_POKE = Duration.ofMillis(50);

    /** Triggers do not make polls follow each other faster. */
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(100);

    /** So many jobs that wait are a queue: another one that joins it is in no hurry. */
    private static final int QUEUE = 64;

    /** Of a queue the resource manager is not asked more often, however many join it. */
    private static final Duration BETWEEN_POLLS_OF_QUEUE = Duration.ofMillis(500);

    /** Nor do they make polls take more than half of the time, for the resource manager has other work to do. */
    private static final int TIMES_A_POLL = 1;

    /** While commands wait, polls take no more than a third. */
    private static final int TIMES_A_POLL_WITH_COMMANDS = 2;

    /** A job that has ended leaves its nodes a moment later; while it does not, looks at it become rarer. */
    private static final Duration AFTER_END = Duration.ofMillis(20);

    private static final Duration RAREST_LOOKS = Duration.ofMillis(200);

    /** Looks at single jobs do not follow each other faster; of the time they take no more than polls do. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    /** So far behind the scheduler may be, by an outage of moments or a long iteration, before polls become rarer. */
    private static final Duration SCHEDULER_PATIENCE = Duration.ofSeconds(5);

    /** No overload makes polls rarer: a resource manager that is silent for long counts as lost. */
    static final Duration RAREST_POLLS = Duration.ofSeconds(10);

    /** So long a burst of submissions is let through first; Slurm's batch_sched_delay is as long by default. */
    static final Duration BURST_PATIENCE = Duration.ofSeconds(3);

    /** The scheduler's progress is not asked for more often. */
    private static final Duration BETWEEN_PROGRESS = Duration.ofSeconds(1);

    /** How long a stop may wait for commands that were begun. */
    private static final Duration LAST_LOOKS = Duration.ofSeconds(6);

    private final Epoch epoch;
    private final RunnerConfig config;
    private final ConnectorRunner runner;
    private final LongSupplier nanos;

    /** When to poll, in monotonic nanoseconds. */
    private long nextPoll;

    /** When to try commands, in monotonic nanoseconds. */
    private long nextCommand;

    /** When the last poll was over, in monotonic nanoseconds. */
    private long lastPoll;

    /** How long it took, in nanoseconds. */
    private long lastPollTook;

    /** Jobs to look at by themselves. */
    private final Set<String> changed = new LinkedHashSet<>();

    /** How long to wait until a look at jobs that are doing something. */
    private Duration lookDelay = AFTER_END;

    /** When to look at them, in monotonic nanoseconds. */
    private long nextLook;

    /** When looks are allowed again, in monotonic nanoseconds. */
    private long looksFrom;

    private final SubmissionBurst burst = new SubmissionBurst();
    private final SchedulerDelay delay = new SchedulerDelay();

    /** When to ask again how far the scheduler is, in monotonic nanoseconds. */
    private long nextProgress;

    /** Jobs that the last poll saw waiting. */
    private int waiting;

    /** Whether more happened since the last poll began than jobs arriving, which only a poll shows. */
    private boolean changesUnseen;

    private int failedPolls;
    private int failedCommands;
    private boolean full = true;
    private boolean polled;

    LiveRun(Epoch epoch, RunnerConfig config, ConnectorRunner runner, LongSupplier nanos) {
        this.epoch = epoch;
        this.config = config;
        this.runner = runner;
        this.nanos = nanos;
        this.nextPoll = nanos.getAsLong();
        this.nextCommand = nextPoll;
        this.lastPoll = nextPoll;
        this.looksFrom = nextPoll;
        this.nextProgress = nextPoll;
    }

    /** Runs until the runner stops or the connector is replaced. */
    ConnectorRunner.Ending run() {
        while (!runner.isStopping()) {
            step();
            if (epoch.isReplaced()) {
                return ConnectorRunner.Ending.REPLACED;
            }
        }
        finishOngoing();
        if (epoch.isReplaced()) {
            return ConnectorRunner.Ending.REPLACED;
        }
        epoch.settle();
        return ConnectorRunner.Ending.STOPPED;
    }

    /** Brings to an end what was begun, so that no start is left to take effect while no connector looks. */
    private void finishOngoing() {
        CommandExecutor executor = epoch.executor();
        executor.beginNoMore();
        long latest = nanos.getAsLong() + LAST_LOOKS.toNanos();
        try {
            while (executor.ongoing() > 0 && !epoch.isReplaced() && nanos.getAsLong() - latest < 0) {
                executor.advance(() -> false);
                long wait = executor.due().orElse(latest) - nanos.getAsLong();
                epoch.receive(Duration.ofNanos(Math.max(0, Math.min(wait, SLICE.toNanos()))));
            }
        } catch (RetriableRmException e) {
            log.info("{} commands are left to the next process: {}", executor.ongoing(), e.getMessage());
        }
    }

    /** Does what is due, then waits for the log until something else is. */
    private void step() {
        if (isDue(commandsDue())) {
            commands();
        }
        heedFullPoll();
        if (nanos.getAsLong() - nextPoll >= 0) {
            if (!isPutOff()) {
                poll();
            }
        } else if (isLookDue()) {
            look();
        }
        heedTrigger();
        OptionalLong command = commandsDue();
        long due = command.isPresent() && command.getAsLong() - nextPoll < 0 ? command.getAsLong() : nextPoll;
        if (!changed.isEmpty() && nextLook - due < 0) {
            due = nextLook;
        }
        Duration wait = Duration.ofNanos(Math.max(0, due - nanos.getAsLong()));
        Duration slice = runner.trigger().isExpected() ? ALERT_SLICE : SLICE;
        epoch.receive(wait.compareTo(slice) < 0 ? wait : slice);
    }

    /**
     * Puts the poll off while the scheduler has not taken in what earlier ones said: it would only have more to take in. One poll
     * then tells of all that changed meanwhile; what came and went between them, nobody has to take in. While jobs pour in it is
     * put off, too: what a poll finds would be started beside them, and the resource manager has both to do.
     */
    private boolean isPutOff() {
        long now = nanos.getAsLong();
        if (now - nextProgress >= 0) {
            nextProgress = now + BETWEEN_PROGRESS.toNanos();
            epoch.progress().ifPresentOrElse(progress -> delay.note(progress, now), delay::forget);
            epoch.schedulerBehind(delay.at(now));
        }
        if (!polled || full) {
            return false;
        }
        long again = lastPoll;
        Duration behind = delay.at(now);
        if (behind.compareTo(SCHEDULER_PATIENCE) >= 0) {
            again = lastPoll + (behind.compareTo(RAREST_POLLS) < 0 ? behind : RAREST_POLLS).toNanos();
        }
        if (burst.isOn(now) && !changesUnseen) {
            long through = earlier(burst.over(), lastPoll + BURST_PATIENCE.toNanos());
            again = again - through < 0 ? through : again;
        }
        if (now - again >= 0) {
            return false;
        }
        nextPoll = earlier(again, nextProgress);
        return true;
    }

    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }

    private void heedTrigger() {
        Poke poke = runner.trigger().take();
        if (poke.arrived() > 0) {
            burst.note(poke.arrived(), nanos.getAsLong());
        }
        changesUnseen |= poke.more();
        if (poke.more() || poke.arrived() > 0) {
            pollBy(nanos.getAsLong() + AFTER_POKE.toNanos(), waiting < QUEUE ? BETWEEN_POLLS : BETWEEN_POLLS_OF_QUEUE);
        }
        if (!poke.jobs().isEmpty()) {
            lookDelay = AFTER_END;
            lookLater(poke.jobs());
        }
    }

    /** Has the jobs looked at when the delay is over, or together with those that wait for a look already. */
    private void lookLater(Set<String> jobs) {
        long wanted = nanos.getAsLong() + lookDelay.toNanos();
        if (changed.size() + jobs.size() > Poke.MOST_JOBS) {
            changed.clear();
            changesUnseen = true;
            pollBy(wanted, BETWEEN_POLLS);
            return;
        }
        if (changed.isEmpty()) {
            nextLook = wanted - looksFrom < 0 ? looksFrom : wanted;
        }
        changed.addAll(jobs);
    }

    /** Has jobs looked at once more, after twice the delay. */
    private void lookAgain(Set<String> settling) {
        if (settling.isEmpty()) {
            lookDelay = AFTER_END;
            return;
        }
        lookDelay = lookDelay.compareTo(RAREST_LOOKS.dividedBy(2)) > 0 ? RAREST_LOOKS : lookDelay.multipliedBy(2);
        lookLater(settling);
    }

    private boolean isLookDue() {
        return polled && failedPolls == 0 && !changed.isEmpty() && nanos.getAsLong() - nextLook >= 0;
    }

    /** Says whether the rest of the commands has to wait: what is seen next may free what other jobs wait for. */
    private boolean leavesCommands() {
        heedTrigger();
        return runner.isStopping() || (polled && nanos.getAsLong() - nextPoll >= 0) || isLookDue();
    }

    /**
     * Looks at the jobs that were named. Where that is not enough, or the resource manager does not answer, a poll comes next.
     *
     * @throws LogUnavailableException if what was seen could not be published
     */
    private void look() {
        long began = nanos.getAsLong();
        Set<String> these = new LinkedHashSet<>(changed);
        changed.clear();
        boolean enough;
        try {
            enough = epoch.look(these);
        } catch (RetriableRmException e) {
            log.debug("looking at {} jobs failed", these.size(), e);
            enough = false;
        }
        if (enough) {
            epoch.flush();
        } else {
            changesUnseen = true;
            pollBy(began + AFTER_POKE.minus(AFTER_END).toNanos(), BETWEEN_POLLS);
        }
        long over = nanos.getAsLong();
        looksFrom = over + Math.max(BETWEEN_LOOKS.toNanos(), timesOver() * (over - began));
        if (enough) {
            lookAgain(epoch.settling());
        }
    }

    /**
     * Has the next poll be early.
     *
     * @param soon when, in monotonic nanoseconds
     * @param between how long after the last one at the earliest
     */
    private void pollBy(long soon, Duration between) {
        long allowed = lastPoll + Math.max(between.toNanos(), timesOver() * lastPollTook);
        long wanted = soon - allowed < 0 ? allowed : soon;
        if (failedPolls == 0 && wanted - nextPoll < 0) {
            nextPoll = wanted;
        }
    }

    /** Returns how many times as long as a look took is left to other things before the next one. */
    private int timesOver() {
        return isDue(commandsDue()) ? TIMES_A_POLL_WITH_COMMANDS : TIMES_A_POLL;
    }

    /** Returns when to go on with the commands, in monotonic nanoseconds; empty when all are finished. */
    private OptionalLong commandsDue() {
        OptionalLong due = epoch.executor().due();
        return due.isPresent() && due.getAsLong() - nextCommand < 0 ? OptionalLong.of(nextCommand) : due;
    }

    private boolean isDue(OptionalLong then) {
        return then.isPresent() && nanos.getAsLong() - then.getAsLong() >= 0;
    }

    private void commands() {
        try {
            epoch.executor().advance(this::leavesCommands);
            failedCommands = 0;
        } catch (RetriableRmException e) {
            failedCommands++;
            runner.rmAway(failedCommands, e);
            nextCommand =
                    nanos.getAsLong() + config.retry().pause(failedCommands).toNanos();
        }
    }

    private void heedFullPoll() {
        if (epoch.executor().takeFullPollWanted()) {
            full = true;
            nextPoll = nanos.getAsLong();
        }
    }

    /**
     * Polls and waits until it is published.
     *
     * @throws LogUnavailableException if it could not be
     */
    private void poll() {
        long began = nanos.getAsLong();
        changed.clear();
        changesUnseen = false;
        try {
            waiting = epoch.poll(full).waiting();
            epoch.settle();
            full = false;
            polled = true;
            failedPolls = 0;
            lastPoll = nanos.getAsLong();
            lastPollTook = lastPoll - began;
            nextPoll = lastPoll + config.pollInterval().toNanos();
            lookAgain(epoch.settling());
        } catch (RetriableRmException e) {
            failedPolls++;
            runner.rmAway(failedPolls, e);
            nextPoll = nanos.getAsLong() + config.retry().pause(failedPolls).toNanos();
        }
    }
}
