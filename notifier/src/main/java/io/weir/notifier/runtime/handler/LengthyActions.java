package io.weir.notifier.runtime.handler;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Actions that may take longer than a consumer may be silent: each is on a thread of its own, and waited for a while at a time,
 * so that its reader polls in between and stays in its group. Used by the reader's thread.
 */
final class LengthyActions implements AutoCloseable {

    /** A tenth of the time after which the broker takes a consumer for dead, unless that is configured. */
    static final Duration WHILE = Duration.ofSeconds(30);

    /** How long one that was interrupted may take to end what it began. */
    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    /** Ended ones whose firings went to another notifier; nobody asks for them any more. */
    private static final int MOST_LEFT = 16;

    private record Running(FutureTask<ActionResult> task, Thread thread) {}

    private final String name;
    private final Duration atATime;
    private final Map<String, Running> running = new HashMap<>();

    /** Creates none; their threads are called by {@code name}. */
    LengthyActions(String name) {
        this(name, WHILE);
    }

    /** Creates none; each call waits for {@code atATime}. */
    LengthyActions(String name, Duration atATime) {
        this.name = name;
        this.atATime = atATime;
    }

    /** Returns whether {@code id} was begun here and its result not taken yet. */
    boolean has(String id) {
        return running.containsKey(id);
    }

    /** Returns whether any is under way. */
    boolean any() {
        return running.values().stream().anyMatch(each -> !each.task.isDone());
    }

    /**
     * Has {@code actor} carry {@code action} out, unless that is under way, and waits for its result.
     *
     * @return empty when it needs longer: to be called again
     * @throws InterruptedException when the thread was interrupted: so is the action, and its outcome is unknown
     */
    Optional<ActionResult> carryOut(String id, Actor actor, Action action)
            throws RetriableDeliveryException, InterruptedException {
        if (running.size() > MOST_LEFT) {
            running.values().removeIf(each -> each.task.isDone());
        }
        Running one = running.computeIfAbsent(id, each -> begin(actor, action));
        boolean ended = true;
        try {
            return Optional.of(one.task.get(atATime.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            ended = false;
            return Optional.empty();
        } catch (InterruptedException e) {
            end(one);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableDeliveryException later) {
                throw later;
            }
            throw new IllegalStateException(String.valueOf(e.getCause()), e.getCause());
        } finally {
            if (ended) {
                running.remove(id);
            }
        }
    }

    /** Interrupts what is under way and waits for its end. */
    @Override
    public void close() {
        running.values().forEach(each -> each.task.cancel(true));
        try {
            for (Running each : running.values()) {
                each.thread.join(LONGEST_END.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.clear();
    }

    private Running begin(Actor actor, Action action) {
        FutureTask<ActionResult> task = new FutureTask<>(() -> actor.carryOut(action));
        Thread thread = new Thread(task, name + "-" + action.id());
        thread.start();
        return new Running(task, thread);
    }

    private static void end(Running one) throws InterruptedException {
        one.task.cancel(true);
        one.thread.join(LONGEST_END.toMillis());
    }
}
