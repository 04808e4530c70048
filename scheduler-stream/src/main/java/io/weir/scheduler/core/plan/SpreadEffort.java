package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What searches for starts of jobs of several requirements may cost one plan. Such a search remembers nothing, and goes
 * through all that happens on the nodes for each requirement, so what it costs is limited: for one search, for all jobs of a
 * user, and for all. It is counted in looks at nodes that follow from what is planned alone, not from how the plan came
 * about, so that a plan that is made anew counts the same.
 */
final class SpreadEffort {
    /** Looks for the jobs of all users. */
    static final long MOST = 4_000_000;

    /** Shares of {@link #MOST} that one user, and one search, have. */
    private static final int USERS = 2;

    private static final int SEARCHES = 4;

    /** Share of {@link #MOST} up to which a plan can be gone on with. */
    private static final int NOTABLE = 8;

    private final long most;
    private long used;

    /** By name of the user. */
    private final Map<String, Long> usedBy = new TreeMap<>();

    /** By instant, epoch seconds, how many shares of nodes jobs and slots take or give back then. */
    private final SortedMap<Long, Integer> changes = new TreeMap<>();

    /** Whether any search may come, so that changes are counted. */
    private boolean counting;

    SpreadEffort(long most) {
        this.most = most;
    }

    /** Begins with a plan of {@code active} jobs and nothing else; {@code counts} says whether any job has several requirements. */
    void begin(Iterable<Job> active, boolean counts) {
        used = 0;
        usedBy.clear();
        changes.clear();
        counting = counts;
        if (counting) {
            for (Job job : active) {
                changes.merge(job.plannedEnd(), job.shares().size(), Integer::sum);
            }
        }
    }

    /** Counts a slot that is taken, or, with -1 for {@code sign}, given back. */
    void move(Slot slot, int sign) {
        if (counting) {
            int shares = sign * slot.shares().size();
            changes.merge(slot.start(), shares, SpreadEffort::sum);
            changes.merge(slot.end(), shares, SpreadEffort::sum);
        }
    }

    private static @Nullable Integer sum(Integer before, Integer more) {
        return before + more == 0 ? null : Integer.valueOf(before + more);
    }

    /** Returns what one more search for {@code job} may cost; 0 when nothing. */
    long left(Job job) {
        long own = most / USERS - usedBy.getOrDefault(user(job), 0L);
        return Math.max(0, Math.min(most / SEARCHES, Math.min(own, most - used)));
    }

    /** Returns whether nothing is left for a job of several requirements. */
    boolean spent(Job job) {
        return job.request().requirements().size() > 1 && left(job) == 0;
    }

    /** Counts {@code looks} for {@code job}. */
    void count(Job job, long looks) {
        used += looks;
        usedBy.merge(user(job), looks, Long::sum);
    }

    /** Returns whether so much was counted that another plan in place of this one could come to a limit. */
    boolean notable() {
        return used > most / NOTABLE;
    }

    /**
     * Returns the last instant, epoch seconds, up to which {@code requirements} may be followed from {@code first} on at a
     * cost of {@code looks}; {@link Long#MAX_VALUE} for all of them.
     */
    long reach(long first, int requirements, long looks) {
        long cost = 0;
        for (Map.Entry<Long, Integer> change : changes.tailMap(first + 1).entrySet()) {
            cost += (long) requirements * change.getValue();
            if (cost > looks) {
                return change.getKey() - 1;
            }
        }
        return Long.MAX_VALUE;
    }

    /** Returns whether a job or slot takes or gives back anything after {@code from} and up to {@code to}, epoch seconds. */
    boolean changes(long from, long to) {
        SortedMap<Long, Integer> later = changes.tailMap(from + 1);
        return !later.isEmpty() && later.firstKey() <= to;
    }

    /** Returns what it costs to follow {@code requirements} from {@code first} to {@code last}, epoch seconds. */
    long cost(long first, long last, int requirements) {
        long cost = 0;
        for (Map.Entry<Long, Integer> change : changes.tailMap(first + 1).entrySet()) {
            if (change.getKey() > last) {
                break;
            }
            cost += (long) requirements * change.getValue();
        }
        return cost;
    }

    private static String user(Job job) {
        String user = job.request().credentials().user();
        return user == null ? "" : user;
    }
}
