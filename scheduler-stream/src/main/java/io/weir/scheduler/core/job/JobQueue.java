package io.weir.scheduler.core.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs in queue order: rank, then queue time, sequence and id. Ranks are those of the last {@link #rank}; a
 * job that joins later has the rank it would have had then. While the ranking is uniform and every job ordinary all ranks
 * count as equal, so that ranking costs nothing and appending is the common case. Owned by the core's thread.
 */
public final class JobQueue {
    private static final Comparator<Place> ORDER = (a, b) ->
            a.rank != b.rank ? (a.rank > b.rank ? -1 : 1) : JobRequest.QUEUE_ORDER.compare(a.request, b.request);

    private final List<Place> order = new ArrayList<>();

    /** By id; never iterated. */
    private final Map<String, Place> places = new LinkedHashMap<>();

    private JobRanking ranking = JobRanking.NONE;
    private long rankedAt;

    /** Whether all ranks are 0. */
    private boolean flat = true;

    /** Waiting jobs that are not ordinary. */
    private int special;

    /** A waiting job and its rank. */
    private static final class Place {
        private Job job;
        private JobRequest request;
        private long rank;
        private JobRanking.@Nullable Standing standing;
        private @Nullable JobRanking standingBy;

        Place(Job job) {
            this.job = job;
            this.request = job.request();
        }

        void replace(Job version) {
            job = version;
            request = version.request();
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
    }

    /** Returns how many jobs wait. */
    public int size() {
        return order.size();
    }

    /** Returns the job at {@code position}, 0 being the first. */
    public Job get(int position) {
        return order.get(position).job;
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
        int last = order.size() - 1;
        if (last < 0 || ORDER.compare(order.get(last), place) < 0) {
            order.add(place);
        } else {
            order.add(-find(place) - 1, place);
        }
    }

    /** Takes out a job; nothing happens when it is not there. */
    void remove(Job job) {
        Place place = places.remove(job.id());
        if (place != null) {
            special -= place.job.ordinary() ? 0 : 1;
            order.remove(find(place));
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
                return order.size();
            }
            for (Place place : order) {
                place.rank = 0;
            }
            flat = true;
        } else {
            flat = false;
            for (Place place : order) {
                place.rank(by, now);
            }
        }
        return sort();
    }

    private int sort() {
        int size = order.size();
        int inOrder = 1;
        while (inOrder < size && ORDER.compare(order.get(inOrder - 1), order.get(inOrder)) < 0) {
            inOrder++;
        }
        if (inOrder >= size) {
            return size;
        }
        Place[] before = order.toArray(new Place[0]);
        Place[] after = before.clone();
        Arrays.sort(after, ORDER);
        int first = 0;
        while (before[first] == after[first]) {
            first++;
        }
        for (int i = first; i < size; i++) {
            order.set(i, after[i]);
        }
        return first;
    }

    private int find(Place place) {
        int low = 0;
        int high = order.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int compared = ORDER.compare(order.get(middle), place);
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
