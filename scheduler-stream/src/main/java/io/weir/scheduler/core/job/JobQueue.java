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
 * <p>The jobs are kept in the order of their arrival, too. Ranks are worked out in that order and sorted as plain numbers
 * with the place in it below the rank, so that sorting touches no job and settles equal ranks on the way. Most ranks grow
 * by one of few amounts from one ranking to the next: then {@link IncrementalSort} merges what has kept its order.
 */
public final class JobQueue {
    /** Bits that hold a place in the order of arrival; the rest of a number holds the rank, upside down. */
    private static final int PLACE_BITS = 21;

    private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;

    private static final long ORDER_FACTOR = 0x9E3779B97F4A7C15L;

    private static final Comparator<Place> ORDER = Comparator.naturalOrder();
    private static final Comparator<Place> ARRIVAL = Place::compareArrival;

    /** Rows by rank, then as in {@link #arrivals}. */
    private int[] order = new int[64];

    /** Rows by queue time, sequence and id. */
    private int[] arrivals = new int[64];

    /** By row. */
    private Place[] places = new Place[64];

    private final QueueColumns columns = new QueueColumns();

    /** The place in {@link #arrivals} of each place in {@link #order}. */
    private int[] arrivalOf = new int[64];

    private int size;

    /** Ranks by place in {@link #arrivals}, and what each grew by with the last ranking. */
    private long[] ranks = new long[64];

    private long[] growth = new long[64];

    /** Numbers to be sorted, and the shift of each. */
    private long[] numbers = new long[64];

    private int[] shifts = new int[64];
    private final IncrementalSort runs = new IncrementalSort();

    /** By id; never iterated. */
    private final Map<String, Place> known = new LinkedHashMap<>();

    private JobRanking ranking = JobRanking.NONE;
    private long rankedAt;

    /** Whether all ranks are 0. */
    private boolean flat = true;

    /** Waiting jobs that are not ordinary. */
    private int special;

    /** A waiting job and its rank, with what decides between equal ranks at hand. */
    private static final class Place implements Comparable<Place> {
        private final int row;
        private long rank;
        private long submit;
        private long sequence;
        private JobRanking.@Nullable Standing standing;
        private @Nullable JobRanking standingBy;
        private Job job;

        Place(int row, Job job) {
            this.row = row;
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
        return places[order[position]].job;
    }

    /** Returns the row of {@link #columns} that is about the job at {@code position}, which is below the size. */
    public int row(int position) {
        return order[position];
    }

    /** Returns the row of {@link #columns} that is about {@code job}, which waits. */
    public int row(Job job) {
        Place place = known.get(job.id());
        if (place == null) {
            throw new IllegalArgumentException(job.id() + " does not wait");
        }
        return place.row;
    }

    /** Returns what a walk reads of all jobs, by {@link #row}. */
    public QueueColumns columns() {
        return columns;
    }

    /** Returns a number that tells the order of the first {@code count} jobs: it differs where, by all odds, another job stands. */
    public long order(int count) {
        long order = count;
        for (int i = 0; i < count; i++) {
            order = order * ORDER_FACTOR + columns.idHash(this.order[i]);
        }
        return order;
    }

    /** Forgets what the outline remembers of {@code job}, if it waits. */
    public void forget(Job job) {
        Place place = known.get(job.id());
        if (place != null) {
            columns.forget(place.row);
        }
    }

    /** Adds a job, or replaces a version that stands at the same place; its rank follows with the next {@link #rank}. */
    void put(Job job) {
        Place place = known.get(job.id());
        if (place != null) {
            special += (job.ordinary() ? 0 : 1) - (place.job.ordinary() ? 0 : 1);
            place.replace(job);
            columns.replace(place.row, job);
            return;
        }
        place = new Place(columns.add(job), job);
        if (!flat) {
            place.rank(ranking, rankedAt);
        }
        known.put(job.id(), place);
        special += job.ordinary() ? 0 : 1;
        if (size == order.length) {
            grow();
        }
        places[place.row] = place;
        boolean last = size == 0 || places[order[size - 1]].compareTo(place) < 0;
        int ordered = last ? size : -find(order, place, ORDER) - 1;
        boolean latest = size == 0 || places[arrivals[size - 1]].compareArrival(place) < 0;
        int arrived = latest ? size : -find(arrivals, place, ARRIVAL) - 1;
        insert(order, place.row, ordered);
        insert(arrivals, place.row, arrived);
        if (flat) {
            arrivalOf[size] = size;
        } else {
            if (arrived < size) {
                shiftArrivals(arrived, 1);
            }
            System.arraycopy(arrivalOf, ordered, arrivalOf, ordered + 1, size - ordered);
            arrivalOf[ordered] = arrived;
        }
        size++;
    }

    private void grow() {
        int room = size * 2;
        order = Arrays.copyOf(order, room);
        arrivals = Arrays.copyOf(arrivals, room);
        places = Arrays.copyOf(places, room);
        arrivalOf = Arrays.copyOf(arrivalOf, room);
        ranks = new long[room];
        growth = new long[room];
        numbers = new long[room];
        shifts = new int[room];
    }

    /** Moves by {@code by} what {@link #arrivalOf} says of places from {@code first} on. */
    private void shiftArrivals(int first, int by) {
        for (int i = 0; i < size; i++) {
            arrivalOf[i] += arrivalOf[i] >= first ? by : 0;
        }
    }

    /** Takes out a job; nothing happens when it is not there. */
    void remove(Job job) {
        Place place = known.remove(job.id());
        if (place != null) {
            special -= place.job.ordinary() ? 0 : 1;
            int ordered = find(order, place, ORDER);
            int arrived = find(arrivals, place, ARRIVAL);
            delete(order, ordered);
            delete(arrivals, arrived);
            columns.remove(place.row);
            size--;
            if (!flat) {
                System.arraycopy(arrivalOf, ordered + 1, arrivalOf, ordered, size - ordered);
                shiftArrivals(arrived, -1);
            }
        }
    }

    /** Returns the position of {@code job}, or -1 when it does not wait. */
    public int position(Job job) {
        Place place = known.get(job.id());
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
                places[arrivals[i]].rank = 0;
                numbers[i] = i;
            }
            return reorder(numbers, -1L);
        }
        flat = false;
        long highest = Long.MIN_VALUE;
        long lowest = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < size; i++) {
            Place place = places[arrivals[i]];
            long before = place.rank;
            place.rank(by, now);
            long rank = place.rank;
            ranks[i] = rank;
            growth[i] = rank - before;
            highest = Math.max(highest, rank);
            lowest = Math.min(lowest, rank);
            most = Math.max(most, rank - before);
            least = Math.min(least, rank - before);
        }
        if (size == 0 || (most == least)) {
            return size;
        }
        if (size > PLACE_MASK || highest - lowest >= 1L << (Long.SIZE - 1 - PLACE_BITS)) {
            return reorder(sortedByComparing(), -1L);
        }
        for (int i = 0; i < size; i++) {
            int place = arrivalOf[i];
            numbers[i] = ((highest - ranks[place]) << PLACE_BITS) | place;
            shifts[i] = (int) Math.min(IncrementalSort.MOST_SHIFTS, most - growth[place]);
        }
        if (most - least < IncrementalSort.MOST_SHIFTS) {
            return reorder(runs.sort(numbers, shifts, size), PLACE_MASK);
        }
        Arrays.sort(numbers, 0, size);
        return reorder(numbers, PLACE_MASK);
    }

    /** Returns the places in the order of arrival, sorted without numbers that stand for rank and place. */
    private long[] sortedByComparing() {
        Integer[] sorted = new Integer[size];
        for (int i = 0; i < size; i++) {
            sorted[i] = i;
        }
        Arrays.sort(sorted, (a, b) -> places[arrivals[a]].compareTo(places[arrivals[b]]));
        for (int i = 0; i < size; i++) {
            numbers[i] = sorted[i];
        }
        return numbers;
    }

    /** Puts in force the order of {@code sorted}, places of arrival under {@code mask}; returns the first that changed. */
    private int reorder(long[] sorted, long mask) {
        int first = size;
        for (int i = size - 1; i >= 0; i--) {
            int place = (int) (sorted[i] & mask);
            if (arrivalOf[i] != place) {
                arrivalOf[i] = place;
                order[i] = arrivals[place];
                first = i;
            }
        }
        return first;
    }

    private void insert(int[] list, int row, int position) {
        System.arraycopy(list, position, list, position + 1, size - position);
        list[position] = row;
    }

    private void delete(int[] list, int position) {
        System.arraycopy(list, position + 1, list, position, size - position - 1);
    }

    /** Returns where {@code place} stands, or -(where it belongs) - 1. */
    private int find(int[] list, Place place, Comparator<Place> by) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int compared = by.compare(places[list[middle]], place);
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
