package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.state.DisabledSlot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What is remembered about reservations beyond those in force: how many were made, and which instances of standing
 * reservations were released and are not to come back. Owned by the core's thread.
 */
public final class ReservationLedger {
    /** Instances remembered; one more takes the place of the one released first, which may come back. */
    private static final int MOST_DISABLED = 1_000;

    private long count;
    private final List<DisabledSlot> disabled = new ArrayList<>();

    /** Takes over a stored version. */
    public void restore(long made, List<DisabledSlot> slots) {
        count = made;
        disabled.clear();
        disabled.addAll(slots);
    }

    /** Returns how many were made so far. */
    public long count() {
        return count;
    }

    /** Returns the instances that are not to come back, in the order they were released. */
    public List<DisabledSlot> disabled() {
        return disabled.isEmpty() ? List.of() : List.copyOf(disabled);
    }

    /** Returns the number of the next reservation that is made. */
    public long next() {
        return ++count;
    }

    /** Remembers that {@code instance} of a standing reservation is not to come back. */
    public void disable(AdministrativeReservation instance) {
        String standing = instance.terms().standing();
        if (standing != null) {
            if (disabled.size() >= MOST_DISABLED) {
                disabled.remove(0);
            }
            disabled.add(new DisabledSlot(
                    standing,
                    instance.id(),
                    Instant.ofEpochSecond(instance.requestedStart()),
                    Instant.ofEpochSecond(instance.requestedEnd())));
        }
    }

    /** Returns whether the instance of {@code standing} in [start, end) was released. */
    boolean disabled(String standing, long start, long end) {
        return disabled.stream()
                .anyMatch(slot -> slot.getStanding().equals(standing)
                        && slot.getStart().getEpochSecond() < end
                        && start < slot.getEnd().getEpochSecond());
    }

    /** Lets the instances named {@code name}, or of the standing reservation of that name, come back; returns how many. */
    int enable(String name) {
        int before = disabled.size();
        disabled.removeIf(slot ->
                slot.getStanding().equals(name) || slot.getReservationId().equals(name));
        return before - disabled.size();
    }

    /** Forgets what has passed. */
    void forget(long now) {
        if (!disabled.isEmpty()) {
            disabled.removeIf(slot -> slot.getEnd().getEpochSecond() <= now);
        }
    }
}
