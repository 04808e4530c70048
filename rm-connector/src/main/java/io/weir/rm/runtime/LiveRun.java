package io.weir.rm.runtime;

import io.weir.rm.runtime.fact.LogUnavailableException;
import io.weir.rm.spi.RetriableRmException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Passes time by the clock: a poll every interval, and soon after somebody pokes; commands in between as they come. When the resource manager does not
 * answer, the next poll and the next command wait longer each time, and no heartbeat is sent meanwhile. Commands that
 * were left unanswered by an earlier process come before the first poll, if the resource manager is there.
 */
final class LiveRun {
    private static final Duration SLICE = Duration.ofMillis(200);

    /** How long to wait for the log at a time when somebody may poke meanwhile. */
    private static final Duration ALERT_SLICE = Duration.ofMillis(20);

    /** What was poked about may be a moment away: a job is queued after it was submitted. */
    private static final Duration AFTER_POKE = Duration.ofMillis(50);

    /** Pokes do not make polls follow each other faster. */
    private static final Duration BETWEEN_POLLS = Duration.ofMillis(100);

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

    private int failedPolls;
    private int failedCommands;
    private boolean full = true;

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
        epoch.settle();
        return ConnectorRunner.Ending.STOPPED;
    }

    /** Does what is due, then waits for the log until something else is. */
    private void step() {
        if (!epoch.executor().isIdle() && nanos.getAsLong() - nextCommand >= 0) {
            commands();
        }
        if (nanos.getAsLong() - nextPoll >= 0) {
            poll();
        }
        if (runner.poke().take()) {
            long soon = nanos.getAsLong() + AFTER_POKE.toNanos();
            long allowed = lastPoll + BETWEEN_POLLS.toNanos();
            long wanted = soon - allowed < 0 ? allowed : soon;
            if (failedPolls == 0 && wanted - nextPoll < 0) {
                nextPoll = wanted;
            }
        }
        long due = nextPoll;
        if (!epoch.executor().isIdle() && nextCommand - due < 0) {
            due = nextCommand;
        }
        Duration wait = Duration.ofNanos(Math.max(0, due - nanos.getAsLong()));
        Duration slice = runner.poke().isExpected() ? ALERT_SLICE : SLICE;
        epoch.receive(wait.compareTo(slice) < 0 ? wait : slice);
    }

    private void commands() {
        try {
            epoch.executor().drain();
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
        try {
            epoch.poll(full);
            epoch.settle();
            full = false;
            failedPolls = 0;
            lastPoll = nanos.getAsLong();
            nextPoll = lastPoll + config.pollInterval().toNanos();
        } catch (RetriableRmException e) {
            failedPolls++;
            runner.rmAway(failedPolls, e);
            nextPoll = nanos.getAsLong() + config.retry().pause(failedPolls).toNanos();
        }
    }
}
