package io.weir.scheduler.core.event;

import io.weir.scheduler.core.bound.HourlyBudget;
import io.weir.scheduler.state.EventRecord;
import org.jspecify.annotations.Nullable;

/**
 * Where one event stands on one object. It counts occurrences and fires when there are enough of them and the time since
 * the last firing is long enough; both are decided when it occurs, so that they come out the same however often the
 * scheduler runs. Changed only by {@link EventTable}.
 */
public final class ObjectEvent {
    /** Firings in an hour of an event on one object whose actions are more than telling somebody. */
    public static final int FIRINGS = 120;

    static final long NEVER = Long.MIN_VALUE;

    final EventKey key;
    boolean active;
    long total;
    long counted;
    long lastMillis = NEVER;

    /** When it fired last, epoch seconds. */
    long fired = NEVER;

    /** When it fired first since it became active, epoch seconds. */
    long since = NEVER;

    /** Whether the next iteration acts on it. */
    boolean due;

    /** Steps of escalation taken. */
    int escalated;

    /** Occurrences that are counted by the next iteration, at its instant. */
    long pending;

    /** Whether it is over behind them. */
    boolean pendingOver;

    String text = "";
    boolean disabled;

    /** Its firings. */
    HourlyBudget budget = new HourlyBudget(0, 0);

    ObjectEvent(EventKey key) {
        this.key = key;
    }

    static ObjectEvent from(EventRecord record) {
        ObjectEvent event =
                new ObjectEvent(new EventKey(record.getObjectType(), record.getObjectId(), record.getEvent()));
        event.active = record.getActive();
        event.total = record.getTotal();
        event.counted = record.getCounted();
        event.lastMillis = record.getLast();
        Long fired = record.getFired();
        event.fired = fired == null ? NEVER : fired;
        Long since = record.getSince();
        event.since = since == null ? NEVER : since;
        event.due = record.getDue();
        event.escalated = record.getEscalated();
        event.pending = record.getPending();
        event.pendingOver = record.getPendingOver();
        event.text = record.getText();
        event.disabled = record.getDisabled();
        event.budget = new HourlyBudget(record.getHour(), record.getSpent());
        return event;
    }

    EventRecord toRecord(String cluster) {
        return new EventRecord(
                cluster,
                key.event(),
                key.objectType(),
                key.objectId(),
                active,
                total,
                counted,
                lastMillis,
                fired == NEVER ? null : Long.valueOf(fired),
                since == NEVER ? null : Long.valueOf(since),
                due,
                escalated,
                pending,
                pendingOver,
                text,
                disabled,
                budget.hour(),
                budget.spent());
    }

    /** Counts an occurrence at {@code millis}; returns whether it makes the event fire. */
    boolean occurred(EventRule rule, String said, long millis) {
        boolean lasts = active;
        active = true;
        total++;
        counted++;
        lastMillis = Math.max(lastMillis, millis);
        text = said;
        long at = Math.floorDiv(millis, 1000L);
        boolean repeats = lasts && rule.condition() && rule.rearmSeconds() == 0 && fired != NEVER;
        boolean rearmed = fired == NEVER || rule.rearmSeconds() == 0 || at - fired >= rule.rearmSeconds();
        if (repeats || !rearmed || counted < rule.occurrences() || (rule.acts() && !budget.spend(at, FIRINGS))) {
            return false;
        }
        counted = 0;
        fired = Math.max(fired, at);
        if (since == NEVER) {
            since = at;
        }
        due = true;
        return true;
    }

    /** Says that what was reported is over. */
    void over() {
        active = false;
        since = NEVER;
        escalated = 0;
    }

    /** Returns what happened where. */
    public EventKey key() {
        return key;
    }

    /** Returns whether what was reported is still so. */
    public boolean active() {
        return active;
    }

    /** Returns whether what was reported is still so, with what the next iteration counts. */
    public boolean lasts() {
        return pending > 0 ? !pendingOver : active;
    }

    /** Returns how often it happened. */
    public long total() {
        return total;
    }

    /** Returns how often it happened since it fired last. */
    public long counted() {
        return counted;
    }

    /** Returns when it fired last, epoch seconds; null for never. */
    public @Nullable Long fired() {
        return fired == NEVER ? null : Long.valueOf(fired);
    }

    /** Returns when it happened last, epoch seconds. */
    public long last() {
        return Math.floorDiv(lastMillis, 1000L);
    }

    /** Returns what was said last. */
    public String text() {
        return text;
    }

    /** Returns whether it fires no more in this hour: its occurrences are counted alone. */
    public boolean exhausted() {
        return budget.spent() >= FIRINGS;
    }

    /** Returns whether the object was disabled because of it. */
    public boolean disabled() {
        return disabled;
    }
}
