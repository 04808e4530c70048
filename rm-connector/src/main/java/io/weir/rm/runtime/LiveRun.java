package io.weir.rm.runtime;

import io.weir.rm.runtime.command.CommandExecutor;
import io.weir.rm.runtime.fact.LogUnavailableException;
import io.weir.rm.spi.RetriableRmException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes time by the clock: a poll every interval, and soon after a trigger; commands in between as they come, and
 * another look at those that wait for the resource manager when it is due. A poll that is due comes before further
 * commands. When the resource manager does not answer, the next poll and the next command wait longer each time, and no
 * heartbeat is sent meanwhile. Commands that were left unanswered by an earlier process come before the first poll, if the
 * resource manager is there.
 */
final class LiveRun {
    private static final Logger log = LoggerFactory.getLogger(LiveRun.class);

    private static final Duration SLICE = Duration.ofMillis(200);

    /** How long to wait for the log at a time when a trigger may fire meanwhile. */
    private static final Duration ALERT_SLICE = Duration.ofMillis(20);

    /** What a trigger reports may show a moment later: a job is queued after it was submitted. */
    private static final Duration AFTER_POKE = Duration.ofMillis(50);

    /** Triggers do not make polls follow each other faster. */
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(100);

    /** Nor do they make polls take more than half of the time, for the resource manager has other work to do. */
    private static final int TIMES_A_POLL = 1;

    /** While commands wait, polls take no more than a third. */
    private static final int TIMES_A_POLL_WITH_COMMANDS = 2;

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
        if (nanos.getAsLong() - nextPoll >= 0) {
            poll();
        }
        heedTrigger();
        OptionalLong command = commandsDue();
        long due = command.isPresent() && command.getAsLong() - nextPoll < 0 ? command.getAsLong() : nextPoll;
        Duration wait = Duration.ofNanos(Math.max(0, due - nanos.getAsLong()));
        Duration slice = runner.trigger().isExpected() ? ALERT_SLICE : SLICE;
        epoch.receive(wait.compareTo(slice) < 0 ? wait : slice);
    }

    private void heedTrigger() {
        if (runner.trigger().take()) {
            pollBy(nanos.getAsLong() + AFTER_POKE.toNanos());
        }
    }

    /** Says whether the rest of the commands has to wait: what the next poll finds may free what other jobs wait for. */
    private boolean leavesCommands() {
        heedTrigger();
        return runner.isStopping() || (polled && nanos.getAsLong() - nextPoll >= 0);
    }

    /** Has the next poll be early, then or as soon after the last one as may be. */
    private void pollBy(long soon) {
        int times = isDue(commandsDue()) ? TIMES_A_POLL_WITH_COMMANDS : TIMES_A_POLL;
        long allowed = lastPoll + Math.max(BETWEEN_POLLS.toNanos(), times * lastPollTook);
        long wanted = soon - allowed < 0 ? allowed : soon;
        if (failedPolls == 0 && wanted - nextPoll < 0) {
            nextPoll = wanted;
        }
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
        try {
            epoch.poll(full);
            epoch.settle();
            full = false;
            polled = true;
            failedPolls = 0;
            lastPoll = nanos.getAsLong();
            lastPollTook = lastPoll - began;
            nextPoll = lastPoll + config.pollInterval().toNanos();
            if (epoch.isSettling()) {
                pollBy(lastPoll);
            }
        } catch (RetriableRmException e) {
            failedPolls++;
            runner.rmAway(failedPolls, e);
            nextPoll = nanos.getAsLong() + config.retry().pause(failedPolls).toNanos();
        }
    }
}
