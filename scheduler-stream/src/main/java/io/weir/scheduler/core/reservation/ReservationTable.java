package io.weir.scheduler.core.reservation;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The reservations of jobs in force, by job, by id and by start. Owned by the core's thread. */
public final class ReservationTable {
    private static final Comparator<Reservation> BY_START =
            Comparator.comparingLong(Reservation::start).thenComparing(Reservation::jobId);

    private final SortedMap<String, Reservation> reservations = new TreeMap<>();

    /** By id; never iterated. */
    private final Map<String, Reservation> byId = new LinkedHashMap<>();

    private final NavigableSet<Reservation> byStart = new TreeSet<>(BY_START);

    /** Places of all reservations together. */
    private long places;

    /** Returns the reservation of {@code jobId}; null when it has none. */
    public @Nullable Reservation get(String jobId) {
        return reservations.get(jobId);
    }

    /** Returns the reservation with {@code id}; null when no job's reservation has it. */
    public @Nullable Reservation withId(String id) {
        return byId.get(id);
    }

    /** Puts a version in force. */
    public void put(Reservation reservation) {
        remove(reservation.jobId());
        reservations.put(reservation.jobId(), reservation);
        byId.put(reservation.id(), reservation);
        byStart.add(reservation);
        places += reservation.placements().size();
    }

    /** Removes the reservation of {@code jobId}. */
    public void remove(String jobId) {
        Reservation old = reservations.remove(jobId);
        if (old != null) {
            byId.remove(old.id());
            byStart.remove(old);
            places -= old.placements().size();
        }
    }

    /** Returns all reservations, sorted by job. */
    public Collection<Reservation> all() {
        return Collections.unmodifiableCollection(reservations.values());
    }

    /** Returns all reservations, earliest start first; of equal starts sorted by job. */
    public Collection<Reservation> byStart() {
        return Collections.unmodifiableCollection(byStart);
    }

    /** Returns on how many nodes they lie, each counted once for each reservation on it. */
    public long places() {
        return places;
    }

    /** Returns how many there are. */
    public int size() {
        return reservations.size();
    }
}
