package io.weir.scheduler.core.job;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs in queue order: rank, then queue time, sequence and id. Ranks are those of the last {@link #rank}; a
 * job that joins later has the rank it would have had then. While the ranking is uniform and every job ordinary all ranks
 * count as equal, so that ranking costs nothing and appending is the common case. Owned by the core's thread.
 *
 * <p>Ranks drift slowly, so the order of one ranking nearly is that of the next: it is corrected by insertion, in time
 * that grows with the number of pairs that changed places, and sorted anew only when that becomes too much.
 */
public final class JobQueue {
    /** Steps by which jobs may move in a correction, for each job in the queue. */
    private static final int MOST_STEPS = 8;

    private Place[] order = new Place[64];
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
            if (rank != other.rank) {
                return rank > other.rank ? -1 : 1;
            }
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
        int position = size == 0 || order[size - 1].compareTo(place) < 0 ? size : -find(place) - 1;
        if (size == order.length) {
            order = Arrays.copyOf(order, size * 2);
        }
        System.arraycopy(order, position, order, position + 1, size - position);
        order[position] = place;
        size++;
    }

    /** Takes out a job; nothing happens when it is not there. */
    void remove(Job job) {
        Place place = places.remove(job.id());
        if (place != null) {
            special -= place.job.ordinary() ? 0 : 1;
            int position = find(place);
            System.arraycopy(order, position + 1, order, position, size - position - 1);
            order = size <= order.length / 4 && size > 64 ? Arrays.copyOf(order, order.length / 2) : order;
            size--;
        }
    }

    /** Returns the position of {@code job}, or -1 when it does not wait. */
    public int position(Job job) {
        Place place = places.get(job.id());
        return place == null ? -1 : find(place);
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
            for (int i = 0; i < size; i++) {
                order[i].rank = 0;
            }
            flat = true;
        } else {
            flat = false;
            for (int i = 0; i < size; i++) {
                order[i].rank(by, now);
            }
        }
        return sort();
    }

    /** Restores the order and returns the first position that changed. */
    private int sort() {
        int first = size;
        long left = (long) MOST_STEPS * size;
        for (int i = 1; i < size; i++) {
            Place moving = order[i];
            int to = i;
            while (to > 0 && order[to - 1].compareTo(moving) > 0) {
                order[to] = order[to - 1];
                to--;
            }
            if (to < i) {
                order[to] = moving;
                first = Math.min(first, to);
                left -= i - to;
                if (left < 0) {
                    return Math.min(first, sortAnew());
                }
            }
        }
        return first;
    }

    private int sortAnew() {
        Place[] before = order.clone();
        Arrays.sort(order, 0, size);
        int first = 0;
        while (first < size && before[first] == order[first]) {
            first++;
        }
        return first;
    }

    private int find(Place place) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int compared = order[middle].compareTo(place);
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
