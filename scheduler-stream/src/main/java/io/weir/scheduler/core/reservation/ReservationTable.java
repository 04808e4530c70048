package io.weir.scheduler.core.reservation;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The reservations in force, by id. Owned by the core's thread. */
public final class ReservationTable {
    private final SortedMap<String, Reservation> reservations = new TreeMap<>();

    /** Returns the reservation of {@code jobId}; null when it has none. */
    public @Nullable Reservation get(String jobId) {
        return reservations.get(jobId);
    }

    /** Puts a version in force. */
    public void put(Reservation reservation) {
        reservations.put(reservation.jobId(), reservation);
    }

    /** Removes the reservation of {@code jobId}. */
    public void remove(String jobId) {
        reservations.remove(jobId);
    }

    /** Returns all reservations, sorted by id. */
    public Collection<Reservation> all() {
        return Collections.unmodifiableCollection(reservations.values());
    }

    /** Returns how many there are. */
    public int size() {
        return reservations.size();
    }
}
