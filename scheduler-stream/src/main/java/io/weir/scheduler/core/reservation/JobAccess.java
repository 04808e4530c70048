package io.weir.scheduler.core.reservation;

/**
 * What the reservations that are no job's say to a job, and to every other with the same access.
 *
 * @param confined whether it has to stay inside reservations
 * @param words by reservation, in the order of their ids: {@code -} for one that does not let it in, {@code *} for one
 *     that it has to stay inside, {@code +} for any other
 */
public record JobAccess(boolean confined, String words) {
    /** The access of all jobs when there are no reservations. */
    public static final JobAccess OPEN = new JobAccess(false, "");

    static final char CLOSED = '-';
    static final char INSIDE = '*';
    static final char OPEN_TO_IT = '+';

    /** Returns whether the reservation at {@code place} lets the job in. */
    public boolean allowed(int place) {
        return words.charAt(place) != CLOSED;
    }

    /** Returns whether a reservation that the job has to stay inside lets it in. */
    boolean admitted() {
        return words.indexOf(INSIDE) >= 0;
    }

    /** Returns whether the job has to stay inside the reservation at {@code place}, or another like it. */
    public boolean within(int place) {
        return words.charAt(place) == INSIDE;
    }
}
