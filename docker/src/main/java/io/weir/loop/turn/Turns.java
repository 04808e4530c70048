package io.weir.loop.turn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time as a sequence of turns. An actor is a thread that holds the turn until it waits, for a time or for a
 * condition; then the turn goes to whoever is due first, and time jumps to that instant. Events are actors without a
 * thread: they run in one go. With the same seed and the same actors the sequence is the same.
 *
 * <p>All methods but {@link #run} are for whoever has the turn. Times are microseconds since the start.
 */
public final class Turns {
    /** Midnight UTC, 2000-01-01, in milliseconds: where virtual time begins on the wall clock. */
    public static final long WALL_START_MILLIS = 946_684_800_000L;

    private static final int MICROS_PER_MILLI = 1_000;
    private static final int LONGEST_REACTION_MICROS = 1_500;

    private final Random random;
    private final ExecutorService threads;
    private final long mostTurns;
    private final List<Actor> actors = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Baton main = new Baton();
    private @Nullable Actor current;
    private @Nullable Throwable failure;
    private long now;
    private long sequence;
    private long turns;
    private long until;
    private boolean ending;

    /**
     * Starts at time 0.
     *
     * @param threads where actors run; has to offer a thread to each of them at the same time
     * @param mostTurns after so many turns the simulation is taken for a livelock and fails
     */
    public Turns(Random random, ExecutorService threads, long mostTurns) {
        this.random = random;
        this.threads = threads;
        this.mostTurns = mostTurns;
    }

    /** Returns the time, in microseconds. */
    public long now() {
        return now;
    }

    /** Returns the time as a monotonic clock has it, in nanoseconds. */
    public long nanos() {
        return now * MICROS_PER_MILLI;
    }

    /** Returns the true wall-clock time, in milliseconds since 1970. */
    public long wallMillis() {
        return WALL_START_MILLIS + now / MICROS_PER_MILLI;
    }

    /** Returns the source of all chance about who comes when. */
    public Random random() {
        return random;
    }

    /** Returns how many turns were taken. */
    public long taken() {
        return turns;
    }

    /**
     * Has {@code event} done at {@code micros}, or now if that is past; not at all once this {@link #end ends}. It must not
     * wait.
     */
    public void at(long micros, Runnable event) {
        if (ending) {
            return;
        }
        events.add(new Event(Math.max(now, micros), sequence++, event));
    }

    /**
     * Starts an actor; its first turn comes soon.
     *
     * @param end is told, with the turn, how the actor ended: null when {@code body} returned
     */
    public void start(SimulatedProcess process, Runnable body, End end) {
        Actor actor = new Actor(process, now + reaction());
        actors.add(actor);
        threads.execute(() -> live(actor, body, end));
    }

    /** How an actor ended. */
    @FunctionalInterface
    public interface End {
        /** The actor ended, by {@code thrown} unless that is null. */
        void ended(@Nullable Throwable thrown);
    }

    /** Lets {@code duration} pass for the actor whose turn it is. */
    public void sleep(Duration duration) {
        await(now + duration.toNanos() / MICROS_PER_MILLI, null);
    }

    /** Lets a moment pass that an operation takes: something between nothing and {@code mostMicros}. */
    public void work(int mostMicros) {
        if (current != null) {
            current.process.calls();
        }
        await(now + random.nextInt(mostMicros) + 1, null);
    }

    /** Waits until {@code ready}, but not beyond {@code deadline}; returns whether it is ready. */
    public boolean awaitUntil(long deadline, BooleanSupplier ready) {
        if (!ready.getAsBoolean()) {
            await(deadline, ready);
        }
        return ready.getAsBoolean();
    }

    /** Tells those who wait for a condition that it may hold by now. */
    public void signal() {
        for (Actor actor : actors) {
            if (actor.ready != null && actor.at > now + LONGEST_REACTION_MICROS && actor.ready.getAsBoolean()) {
                actor.at = now + reaction();
            }
        }
    }

    /**
     * Runs until {@code micros}, or until nothing is left to do. Called by the thread that owns the simulation.
     *
     * @throws IllegalStateException when an event failed, or the turns were used up
     */
    public void run(long micros) {
        until = micros;
        passOn(null);
        main.await();
        if (failure != null) {
            throw new IllegalStateException("The simulation itself failed: " + failure, failure);
        }
        now = Math.max(now, Math.min(micros, until));
    }

    /** Kills every process and waits until all their threads have ended. */
    public void end() {
        ending = true;
        events.clear();
        failure = null;
        turns = Long.MIN_VALUE;
        actors.forEach(actor -> actor.process.kill());
        run(Long.MAX_VALUE);
    }

    private void live(Actor actor, Runnable body, End end) {
        actor.baton.await();
        @Nullable Throwable thrown = null;
        try {
            actor.process.requireAlive();
            body.run();
        } catch (Throwable e) {
            thrown = e;
        }
        actors.remove(actor);
        try {
            end.ended(thrown);
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        passOn(null);
    }

    private void await(long deadline, @Nullable BooleanSupplier ready) {
        Actor actor = current;
        if (actor == null) {
            throw new IllegalStateException("An event waits; only actors may");
        }
        actor.process.requireAlive();
        actor.at = deadline;
        actor.order = sequence++;
        actor.ready = ready;
        passOn(actor);
        actor.ready = null;
        actor.process.requireAlive();
    }

    /** Gives the turn to whoever is due first; returns when {@code self} has it again, at once if {@code self} is null. */
    private void passOn(@Nullable Actor self) {
        @Nullable Actor next = chooseNext();
        current = next;
        if (next == self && next != null) {
            return;
        }
        (next == null ? main : next.baton).give();
        if (self != null) {
            self.baton.await();
        }
    }

    /** Does all events that come first and returns the actor that comes next; null when the time is over. */
    private @Nullable Actor chooseNext() {
        while (failure == null) {
            if (++turns > mostTurns) {
                failure = new IllegalStateException(mostTurns + " turns in one life: something goes in circles");
                return null;
            }
            @Nullable Actor first = first();
            @Nullable Event event = events.peek();
            long at =
                    Math.min(first == null ? Long.MAX_VALUE : first.due(), event == null ? Long.MAX_VALUE : event.at());
            if (at > until || (first == null && event == null)) {
                return null;
            }
            now = Math.max(now, at);
            if (event == null || (first != null && first.due() < event.at())) {
                return first;
            }
            events.remove();
            current = null;
            try {
                event.action().run();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        return null;
    }

    private @Nullable Actor first() {
        @Nullable Actor first = null;
        for (Actor actor : actors) {
            if (first == null
                    || actor.due() < first.due()
                    || (actor.due() == first.due() && actor.order < first.order)) {
                first = actor;
            }
        }
        return first;
    }

    private long reaction() {
        return random.nextInt(LONGEST_REACTION_MICROS);
    }

    private record Event(long at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    /** A thread of a process. */
    private final class Actor {
        private final SimulatedProcess process;
        private final Baton baton = new Baton();
        private long at;
        private long order = sequence++;

        /** What it waits for; null when for a time alone. */
        private @Nullable BooleanSupplier ready;

        Actor(SimulatedProcess process, long at) {
            this.process = process;
            this.at = at;
        }

        private long due() {
            return process.isAlive() ? Math.max(at, process.frozenUntil()) : now;
        }
    }
}
