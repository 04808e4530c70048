package io.weir.loop.turn;

import org.jspecify.annotations.Nullable;

/**
 * One life of a process: it runs, may be frozen for a while (a long pause of its machine), and ends by being killed. Its
 * wall clock may be wrong. Touched only by whoever has the turn.
 */
public final class SimulatedProcess {
    private static final long NEVER = Long.MAX_VALUE;

    private final Turns turns;
    private final String name;
    private long frozenSince = NEVER;
    private long frozenUntil;
    private long killedAt = NEVER;
    private long clockErrorMillis;
    private int callsLeft;
    private @Nullable Runnable fault;

    /** Starts a process called {@code name}; it has no threads yet. */
    public SimulatedProcess(Turns turns, String name) {
        this.turns = turns;
        this.name = name;
    }

    /** Returns its name, for the trace. */
    public String name() {
        return name;
    }

    /** Says whether it was not killed. */
    public boolean isAlive() {
        return killedAt == NEVER;
    }

    /** Says whether it stands still at the moment. */
    public boolean isFrozen() {
        return turns.now() < frozenUntil;
    }

    /** Returns until when it stands still, in microseconds; in the past when it does not. */
    public long frozenUntil() {
        return frozenUntil;
    }

    /** Returns when others last could have heard of it, in microseconds: now, unless it is frozen or dead. */
    public long lastHeard() {
        return Math.min(Math.min(killedAt, isFrozen() ? frozenSince : NEVER), turns.now());
    }

    /** Stops all its threads until {@code micros}; what it had begun it goes on with then. */
    public void freezeUntil(long micros) {
        if (!isFrozen()) {
            frozenSince = turns.now();
        }
        frozenUntil = Math.max(frozenUntil, micros);
    }

    /** Kills it: its threads end at their next turn, without any further effect. */
    public void kill() {
        if (isAlive()) {
            killedAt = turns.now();
            frozenUntil = 0;
        }
    }

    /** Does {@code what} to it in the midst of its work: behind so many of its next calls, or at once if it is 0. */
    public void behind(int calls, Runnable what) {
        if (calls == 0 && isAlive()) {
            what.run();
        } else {
            callsLeft = calls;
            fault = what;
        }
    }

    /** Forgets what was to be done to it behind some of its calls. */
    public void spare() {
        fault = null;
    }

    /** Notes that it makes a call. */
    void calls() {
        Runnable due = fault;
        if (due != null && --callsLeft <= 0) {
            fault = null;
            due.run();
        }
    }

    /** Puts its wall clock wrong by {@code millis}, ahead if positive. */
    public void setClockError(long millis) {
        clockErrorMillis = millis;
    }

    /** Returns its wall clock, in milliseconds since 1970. */
    public long wallMillis() {
        return turns.wallMillis() + clockErrorMillis;
    }

    /** Throws unless it is alive. */
    public void requireAlive() {
        if (!isAlive()) {
            throw new ProcessKilledError(name);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
