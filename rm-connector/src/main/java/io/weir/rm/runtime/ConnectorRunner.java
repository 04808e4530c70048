package io.weir.rm.runtime;

import io.weir.rm.runtime.command.ReplacedException;
import io.weir.rm.runtime.fact.LogUnavailableException;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmException;
import io.weir.rm.spi.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs one connector: epoch after epoch, until it is stopped, replaced, or has nothing left to do. A log that is away
 * ends the epoch and begins another; a resource manager that is away is waited for in silence, for a connector that sees
 * nothing has nothing to report. {@link #run} occupies one thread; {@link #stop} may be called from any.
 *
 * <pre>
 *   open ──&gt; reconcile ──&gt; poll/execute ... ──&gt; FINISHED | STOPPED | REPLACED
 *    ^                         │
 *    └──── log was away ───────┘
 * </pre>
 */
public final class ConnectorRunner {
    private static final Logger log = LoggerFactory.getLogger(ConnectorRunner.class);

    /** So many failures in a row are told one by one, then one of so many: about one a minute. */
    private static final int EACH_TOLD = 10;

    private static final int ONE_TOLD_OF = 12;

    private final RunnerConfig config;
    private final ResourceManager rm;
    private final LogConnections connections;
    private final RunnerListener listener;
    private final RunnerClock clock;
    private final PollTrigger trigger;
    private final CountDownLatch stopping = new CountDownLatch(1);

    /** How often the resource manager was away; changed by the thread that runs. */
    private long timesAway;

    /** How a run ended. */
    public enum Ending {
        /** A simulation is over, and the scheduler knows: no job can end or start any more. */
        FINISHED,
        /** Somebody asked it to stop. */
        STOPPED,
        /** Another connector of the same id has taken over. */
        REPLACED
    }

    /** Creates a runner; it does nothing yet. */
    public ConnectorRunner(
            RunnerConfig config, ResourceManager rm, LogConnections connections, RunnerListener listener) {
        this(config, rm, connections, listener, RunnerClock.SYSTEM, PollTrigger.NONE);
    }

    /** Creates a runner that can be poked. */
    ConnectorRunner(
            RunnerConfig config,
            ResourceManager rm,
            LogConnections connections,
            RunnerListener listener,
            PollTrigger trigger) {
        this(config, rm, connections, listener, RunnerClock.SYSTEM, trigger);
    }

    /** Creates a runner that takes its time from {@code clock}. */
    public ConnectorRunner(
            RunnerConfig config,
            ResourceManager rm,
            LogConnections connections,
            RunnerListener listener,
            RunnerClock clock) {
        this(config, rm, connections, listener, clock, PollTrigger.NONE);
    }

    /** Creates a runner of all it needs. */
    ConnectorRunner(
            RunnerConfig config,
            ResourceManager rm,
            LogConnections connections,
            RunnerListener listener,
            RunnerClock clock,
            PollTrigger trigger) {
        this.trigger = trigger;
        this.config = config;
        this.rm = rm;
        this.connections = connections;
        this.listener = listener;
        this.clock = clock;
    }

    /**
     * Runs until the end.
     *
     * @throws RmException if the resource manager failed for good
     */
    public Ending run() {
        int failures = 0;
        while (!isStopping()) {
            try (Epoch epoch = Epoch.open(config, rm, connections, listener, clock::nanos, () -> timesAway)) {
                failures = 0;
                return run(epoch);
            } catch (LogUnavailableException e) {
                failures++;
                listener.logAway();
                log.warn("the log is away, a new epoch follows (failure {}): {}", failures, e.getMessage());
            } catch (RetriableRmException e) {
                failures++;
                rmAway(failures, e);
            } catch (ReplacedException e) {
                log.error("{}: this one stops", e.getMessage());
                return Ending.REPLACED;
            }
            pause(failures);
        }
        return Ending.STOPPED;
    }

    private Ending run(Epoch epoch) {
        Optional<VirtualTime> time = rm.virtualTime();
        return time.isPresent()
                ? new LockStepRun(epoch, time.get(), config, this).run()
                : new LiveRun(epoch, config, this, clock::nanos).run();
    }

    /** Asks the runner to come to an end soon, at the next pause between two records. */
    public void stop() {
        stopping.countDown();
    }

    PollTrigger trigger() {
        return trigger;
    }

    boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /** Does {@code work} until the resource manager is there to do it, or the runner stops. */
    boolean insist(Runnable work) {
        for (int failures = 1; !isStopping(); failures++) {
            try {
                work.run();
                return true;
            } catch (RetriableRmException e) {
                rmAway(failures, e);
                pause(failures);
            }
        }
        return false;
    }

    void rmAway(int failures, RetriableRmException e) {
        timesAway++;
        listener.rmAway();
        log.atLevel(failures <= EACH_TOLD || failures % ONE_TOLD_OF == 0 ? Level.WARN : Level.DEBUG)
                .log(
                        "the resource manager is away (failure {}), next attempt in {}: {}",
                        failures,
                        config.retry().pause(failures),
                        e.getMessage());
    }

    /** Waits as the schedule says; returns earlier when the runner stops. */
    private void pause(int failures) {
        Duration pause = config.retry().pause(failures);
        try {
            clock.pause(pause, stopping);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
        }
    }
}
