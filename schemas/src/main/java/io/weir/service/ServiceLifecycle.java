package io.weir.service;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From running to stopped. What was opened registers how to close it; on stop the closing actions run once, in reverse
 * order, each within its time limit, so that work in progress is finished before what it needs goes away.
 *
 * <pre>
 *  RUNNING --requestStop()/fail()--> STOPPING --close()--> STOPPED
 * </pre>
 *
 * Thread-safe; {@link #close()} blocks, {@link #requestStop()} and {@link #fail} do not and may be called from any thread,
 * those being closed included.
 */
public final class ServiceLifecycle implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ServiceLifecycle.class);

    private final Deque<CloseAction> actions = new ArrayDeque<>();
    private final CountDownLatch stopRequested = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean closing;
    private volatile @Nullable Throwable failure;
    private volatile boolean drained = true;

    /**
     * Registers how to close something, to run before everything registered earlier. After the stop it runs at once.
     *
     * @param limit how long it may take before it is interrupted and the next one runs
     */
    public void onClose(String name, Duration limit, AutoCloseable action) {
        CloseAction added = new CloseAction(name, limit, action);
        synchronized (this) {
            if (!closing) {
                actions.push(added);
                return;
            }
        }
        run(added);
    }

    /** Asks for an orderly stop. */
    public void requestStop() {
        stopRequested.countDown();
    }

    /** Asks for an orderly stop because of {@code cause}, which makes the exit code 1; the first cause counts. */
    public void fail(Throwable cause) {
        synchronized (this) {
            if (failure == null) {
                failure = cause;
                BrokerTrouble.remedy(cause)
                        .ifPresentOrElse(
                                remedy -> log.error("Service failed; stopping. {}", remedy, cause),
                                () -> log.error("Service failed; stopping", cause));
            }
        }
        stopRequested.countDown();
    }

    /** Says whether nothing has failed. */
    public boolean isAlive() {
        return failure == null;
    }

    /** Waits until somebody asks for the stop. */
    public void awaitStopRequest() throws InterruptedException {
        stopRequested.await();
    }

    /** Runs the closing actions; a second caller waits for the first to finish. */
    @Override
    public void close() {
        stopRequested.countDown();
        if (!beginClosing()) {
            awaitClosed();
            return;
        }
        for (CloseAction action = next(); action != null; action = next()) {
            run(action);
        }
        closed.countDown();
    }

    /** Returns the exit code: 0 when nothing failed and everything closed in time, else 1. */
    public int exitCode() {
        return failure == null && drained ? 0 : 1;
    }

    private synchronized boolean beginClosing() {
        boolean first = !closing;
        closing = true;
        return first;
    }

    private synchronized @Nullable CloseAction next() {
        return actions.poll();
    }

    private void awaitClosed() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(CloseAction action) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            action.action().close();
            return null;
        });
        Thread thread = new Thread(task, "close-" + action.name());
        thread.setDaemon(true);
        thread.start();
        try {
            task.get(action.limit().toMillis(), TimeUnit.MILLISECONDS);
            log.debug("Closed {}", action.name());
        } catch (TimeoutException e) {
            drained = false;
            task.cancel(true);
            log.error(
                    "{} did not close within {} ms; going on without",
                    action.name(),
                    action.limit().toMillis());
        } catch (ExecutionException e) {
            drained = false;
            log.error("{} failed to close", action.name(), e.getCause());
        } catch (InterruptedException e) {
            drained = false;
            Thread.currentThread().interrupt();
            log.error("Interrupted while closing {}", action.name());
        }
    }

    private record CloseAction(String name, Duration limit, AutoCloseable action) {}
}
