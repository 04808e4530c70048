package io.weir.rm.runtime;

import io.weir.rm.runtime.command.Incoming;
import io.weir.rm.runtime.fact.PublishedPoll;
import io.weir.rm.spi.VirtualTime;
import io.weir.schemas.CommandCount;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.Iteration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes virtual time in lock step with the scheduler. At each instant: publish what happened and the heartbeat, wait for
 * the iteration that answers it and for as many commands as it says, carry them out at this very instant, and only then
 * let time jump. After a restart the instant is the one where the earlier process died; whatever it was still told is
 * carried out first, then the same exchange follows, in which a scheduler that sees the same state decides nothing new.
 */
final class LockStepRun {
    private static final Logger log = LoggerFactory.getLogger(LockStepRun.class);

    private static final Duration SLICE = Duration.ofMillis(100);

    /** How long to wait for an answer before saying so. */
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

    private final Epoch epoch;
    private final VirtualTime time;
    private final RunnerConfig config;
    private final ConnectorRunner runner;

    LockStepRun(Epoch epoch, VirtualTime time, RunnerConfig config, ConnectorRunner runner) {
        this.epoch = epoch;
        this.time = time;
        this.config = config;
        this.runner = runner;
    }

    ConnectorRunner.Ending run() {
        boolean full = true;
        while (runner.insist(epoch.executor()::drain)) {
            boolean asked = epoch.executor().takeFullPollWanted();
            @Nullable Iteration answer = exchange(full || asked);
            if (answer == null) {
                break;
            }
            epoch.settled();
            if (!runner.insist(epoch.executor()::drain)) {
                break;
            }
            full = false;
            switch (time.advance(answer.getNextWake())) {
                case MOVED -> log.trace("moved on");
                case FINISHED -> {
                    epoch.settle();
                    log.info("simulation finished: {}", time.progress());
                    return ConnectorRunner.Ending.FINISHED;
                }
                case STALLED -> {
                    epoch.settle();
                    log.warn(
                            "the simulation ends after iteration {}: {} jobs of {} have ended, and nothing is to come that"
                                    + " could start the others",
                            answer.getNumber(),
                            time.progress().ended(),
                            time.progress().total());
                    return ConnectorRunner.Ending.FINISHED;
                }
            }
        }
        if (epoch.isReplaced()) {
            return ConnectorRunner.Ending.REPLACED;
        }
        epoch.settle();
        return ConnectorRunner.Ending.STOPPED;
    }

    /** Publishes this instant and waits for its answer; null when the runner has to end. */
    private @Nullable Iteration exchange(boolean full) {
        PublishedPoll published = publish(full);
        long asked = System.nanoTime();
        @Nullable Iteration answer = null;
        while (published != null && !runner.isStopping()) {
            for (Incoming.Decided decided : epoch.receive(SLICE)) {
                if (published.heartbeat().equals(decided.iteration().getAnswers())) {
                    answer = decided.iteration();
                }
            }
            if (epoch.isReplaced()) {
                return null;
            }
            if (answer != null && epoch.executor().lastAccepted() >= commandsIn(answer)) {
                return answer;
            }
            if (answer == null && epoch.executor().wantsFullPoll()) {
                log.info("the scheduler asks for a full poll instead of answering heartbeat {}", published.heartbeat());
                if (!runner.insist(epoch.executor()::drain)) {
                    return null;
                }
                epoch.executor().takeFullPollWanted();
                published = publish(true);
            }
            if (System.nanoTime() - asked > PATIENCE_NANOS && published != null) {
                asked = System.nanoTime();
                remind(published.heartbeat(), answer);
            }
        }
        return null;
    }

    private @Nullable PublishedPoll publish(boolean full) {
        PublishedPoll[] published = new PublishedPoll[1];
        if (!runner.insist(() -> published[0] = epoch.poll(full))) {
            return null;
        }
        epoch.flush();
        return published[0];
    }

    private long commandsIn(Iteration iteration) {
        return iteration.getCommands().stream()
                .filter(count -> count.getConnector().equals(config.connector()))
                .mapToLong(CommandCount::getNumber)
                .findFirst()
                .orElse(0);
    }

    private void remind(HeartbeatReference heartbeat, @Nullable Iteration answer) {
        if (answer == null) {
            log.warn(
                    "epoch={} heartbeat={} still no iteration answers it; does the scheduler run?",
                    heartbeat.getEpoch(),
                    heartbeat.getNumber());
        } else {
            log.warn(
                    "iteration={} speaks of command number {}, only {} arrived so far",
                    answer.getNumber(),
                    commandsIn(answer),
                    epoch.executor().lastAccepted());
        }
    }
}
