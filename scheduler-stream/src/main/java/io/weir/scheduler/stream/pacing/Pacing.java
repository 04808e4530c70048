package io.weir.scheduler.stream.pacing;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Paces the iterations of one task. Iterations cost their own time and that of the commit they ask for, which ends when the
 * next unit of work begins; for as long as {@link Pace} says, no other begins while inputs wait. When is decided here, outside
 * of the core; the journal has what was done. All clusters of a task have the same answer within a unit, so that none goes
 * first for ever. Owned by the stream thread.
 */
public final class Pacing {
    private final Pace pace;
    private final BooleanSupplier waiting;
    /** When the first iteration of this unit began; null before. */
    private @Nullable Long began;
    /** Whether iterations may begin in this unit; null before anyone asked. */
    private @Nullable Boolean permitted;

    private boolean inputsWaited;
    private long cost;
    private long restsFrom;
    private long spent;

    /** Creates the pacing of a task; {@code waiting} says whether inputs of it wait. */
    public Pacing(Pace pace, BooleanSupplier waiting) {
        this.pace = pace;
        this.waiting = waiting;
        this.restsFrom = pace.nanos().getAsLong();
    }

    /** Notes that a unit of work begins: what the last one asked for has been committed. */
    public void unitBegins() {
        if (began != null && inputsWaited) {
            rest(began);
        }
        began = null;
        permitted = null;
    }

    /** Says whether an iteration may begin that can wait. */
    public boolean permits() {
        if (permitted == null) {
            permitted = pace.nanos().getAsLong() - restsFrom >= pace.restAfter(cost) || !waiting.getAsBoolean();
        }
        return permitted;
    }

    /** Runs an iteration and counts its cost. */
    public void iterate(Runnable iteration) {
        long from = pace.nanos().getAsLong();
        if (began == null) {
            began = from;
        }
        iteration.run();
        spent += pace.nanos().getAsLong() - from;
        inputsWaited = waiting.getAsBoolean();
        if (!inputsWaited) {
            // What follows may be a wait for inputs, which costs nobody anything.
            rest(began);
        }
    }

    /** Returns how many nanoseconds iterations have taken so far. */
    public long spent() {
        return spent;
    }

    private void rest(long from) {
        restsFrom = pace.nanos().getAsLong();
        cost = restsFrom - from;
    }
}
