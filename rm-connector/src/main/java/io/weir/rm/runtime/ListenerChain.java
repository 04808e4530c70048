package io.weir.rm.runtime;

import io.weir.rm.runtime.fact.PublishedPoll;
import io.weir.rm.spi.VirtualTime.Progress;
import io.weir.schemas.CommandOutcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tells two listeners.
 *
 * @param first is told first
 * @param second is told second
 */
record ListenerChain(RunnerListener first, RunnerListener second) implements RunnerListener {

    @Override
    public void epochOpened(long epoch) {
        first.epochOpened(epoch);
        second.epochOpened(epoch);
    }

    @Override
    public void polled(PublishedPoll poll, Instant rmTime, @Nullable Progress progress) {
        first.polled(poll, rmTime, progress);
        second.polled(poll, rmTime, progress);
    }

    @Override
    public void schedulerBehind(Duration delay) {
        first.schedulerBehind(delay);
        second.schedulerBehind(delay);
    }

    @Override
    public void problems(long count) {
        first.problems(count);
        second.problems(count);
    }

    @Override
    public void answered(CommandOutcome outcome) {
        first.answered(outcome);
        second.answered(outcome);
    }

    @Override
    public void unreadable() {
        first.unreadable();
        second.unreadable();
    }

    @Override
    public void rmAway() {
        first.rmAway();
        second.rmAway();
    }

    @Override
    public void logAway() {
        first.logAway();
        second.logAway();
    }
}
