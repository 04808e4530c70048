package io.weir.scheduler.core.job;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs in queue order: rank, then queue time, sequence and id. Ranks are those of the last {@link #rank}; a
 * job that joins later has the rank it would have had then. While the ranking is uniform and every job ordinary all ranks
 * count as equal, so that ranking costs nothing and appending is the common case. Owned by the core's thread.
 *
 * <p>The jobs are kept in the order of their arrival, too. Ranks are worked out and sorted as plain numbers with the place
 * in that order below the rank, so that sorting touches no job and settles equal ranks on the way.
 */
public final class JobQueue {
    /** Bits that hold a place in the order of arrival; the rest of a number holds the rank, upside down. */
    private static final int PLACE_BITS = 21;

    private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;

    private static final Comparator<Place> ORDER = Comparator.naturalOrder();
    private static final Comparator<Place> ARRIVAL = Place::compareArrival;

    /** By rank, then as in {@link #arrivals}. */
    private Place[] order = new Place[64];

    /** By queue time, sequence and id. */
    private Place[] arrivals = new Place[64];

    private int size;

    /** By id; never iterated. */
    private final Map<String, Place> places = new LinkedHashMap<>();

    private JobRanking ranking = JobRanking.NONE;
    private long rankedAt;

    /** Whether all ranks are 0. */
    private boolean flat = true;

    /** Waiting jobs that are not ordinary. */
    private int special;

    /** A waiting job and its rank, with what decides between equal ranks at hand. */
    private static final class Place implements Comparable<Place> {
        private long rank;
        private long submit;
        private long sequence;
        private JobRanking.@Nullable Standing standing;
        private @Nullable JobRanking standingBy;
        private Job job;

        Place(Job job) {
            this.job = job;
            this.submit = job.request().submit();
            this.sequence = job.request().queueSequence();
        }

        void replace(Job version) {
            job = version;
            standing = null;
        }

        void rank(JobRanking by, long now) {
            JobRanking.Standing known = standing;
            if (known == null || standingBy != by) {
                known = by.of(job);
                standing = known;
                standingBy = by;
            }
            rank = known.at(now);
        }

        @Override
        public int compareTo(Place other) {
            return rank != other.rank ? (rank > other.rank ? -1 : 1) : compareArrival(other);
        }

        int compareArrival(Place other) {
            if (submit != other.submit) {
                return submit < other.submit ? -1 : 1;
            }
            if (sequence != other.sequence) {
                return sequence < other.sequence ? -1 : 1;
            }
            return job.id().compareTo(other.job.id());
        }
    }

    /** Returns how many jobs wait. */
    public int size() {
        return size;
    }

    /** Returns the job at {@code position}, 0 being the first. */
    public Job get(int position) {
        if (position >= size) {
            throw new IndexOutOfBoundsException("position " + position + " of " + size);
        }
        return order[position].job;
    }

    /** Adds a job, or replaces a version that stands at the same place; its rank follows with the next {@link #rank}. */
    void put(Job job) {
        Place place = places.get(job.id());
        if (place != null) {
            special += (job.ordinary() ? 0 : 1) - (place.job.ordinary() ? 0 : 1);
            place.replace(job);
            return;
        }
        place = new Place(job);
        if (!flat) {
            place.rank(ranking, rankedAt);
        }
        places.put(job.id(), place);
        special += job.ordinary() ? 0 : 1;
        if (size == order.length) {
            order = Arrays.copyOf(order, size * 2);
            arrivals = Arrays.copyOf(arrivals, size * 2);
        }
        boolean last = size == 0 || order[size - 1].compareTo(place) < 0;
        insert(order, place, last ? size : -find(order, place, ORDER) - 1);
        boolean latest = size == 0 || arrivals[size - 1].compareArrival(place) < 0;
        insert(arrivals, place, latest ? size : -find(arrivals, place, ARRIVAL) - 1);
        size++;
    }

    /** Takes out a job; nothing happens when it is not there. */
    void remove(Job job) {
        Place place = places.remove(job.id());
        if (place != null) {
            special -= place.job.ordinary() ? 0 : 1;
            delete(order, find(order, place, ORDER));
            delete(arrivals, find(arrivals, place, ARRIVAL));
            size--;
        }
    }

    /** Returns the position of {@code job}, or -1 when it does not wait. */
    public int position(Job job) {
        Place place = places.get(job.id());
        return place == null ? -1 : find(order, place, ORDER);
    }

    /**
     * Ranks all jobs for {@code now} and puts them in order.
     *
     * @return the first position at which another job stands than before; the size when there is none
     */
    public int rank(JobRanking by, long now) {
        ranking = by;
        rankedAt = now;
        if (by.uniform() && special == 0) {
            if (flat) {
                return size;
            }
            flat = true;
            for (int i = 0; i < size; i++) {
                arrivals[i].rank = 0;
            }
            return reorder(arrivals.clone());
        }
        flat = false;
        long highest = Long.MIN_VALUE;
        long lowest = Long.MAX_VALUE;
        for (int i = 0; i < size; i++) {
            arrivals[i].rank(by, now);
            highest = Math.max(highest, arrivals[i].rank);
            lowest = Math.min(lowest, arrivals[i].rank);
        }
        if (size > PLACE_MASK || highest - lowest >= 1L << (Long.SIZE - 1 - PLACE_BITS)) {
            Place[] sorted = arrivals.clone();
            Arrays.sort(sorted, 0, size);
            return reorder(sorted);
        }
        long[] numbers = new long[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = ((highest - arrivals[i].rank) << PLACE_BITS) | i;
        }
        Arrays.sort(numbers);
        Place[] sorted = new Place[order.length];
        for (int i = 0; i < size; i++) {
            sorted[i] = arrivals[(int) (numbers[i] & PLACE_MASK)];
        }
        return reorder(sorted);
    }

    /** Puts another order in force and returns the first position that changed. */
    private int reorder(Place[] sorted) {
        int first = 0;
        while (first < size && sorted[first] == order[first]) {
            first++;
        }
        order = sorted;
        return first;
    }

    private void insert(Place[] list, Place place, int position) {
        System.arraycopy(list, position, list, position + 1, size - position);
        list[position] = place;
    }

    private void delete(Place[] list, int position) {
        System.arraycopy(list, position + 1, list, position, size - position - 1);
    }

    /** Returns where {@code place} stands, or -(where it belongs) - 1. */
    private int find(Place[] list, Place place, Comparator<Place> by) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int compared = by.compare(list[middle], place);
            if (compared == 0) {
                return middle;
            }
            if (compared < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
