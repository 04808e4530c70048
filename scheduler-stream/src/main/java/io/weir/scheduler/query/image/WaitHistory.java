package io.weir.scheduler.query.image;

import io.weir.schemas.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How long the jobs waited that started of late, as far as the topic of jobs still tells: what an estimate by experience
 * rests on. Jobs are alike that ask for processors and time up to the same power of two. One thread at a time.
 */
public final class WaitHistory {
    /** Jobs remembered. */
    private static final int MOST = 2_000;

    private final Deque<Started> jobs = new ArrayDeque<>();

    private record Started(int procs, long seconds, long waited) {}

    /** Identifies jobs that are alike: at most so many processors for at most so long. */
    private record Likeness(int mostProcs, long longestSeconds) {}

    /**
     * Jobs that are alike.
     *
     * @param mostProcs they ask for this many processors or down to half of it
     * @param longestSeconds and for this long or down to half of it
     * @param jobs how many there were
     * @param medianWaitSeconds half of them waited no longer
     */
    public record Kind(int mostProcs, long longestSeconds, int jobs, long medianWaitSeconds) {}

    /** Says that {@code job} started. */
    void started(JobStatus job) {
        Instant start = job.getStartTime();
        if (start == null) {
            return;
        }
        if (jobs.size() == MOST) {
            jobs.removeFirst();
        }
        jobs.addLast(new Started(
                JobStanding.procs(job),
                job.getWalltimeSeconds(),
                Math.max(0, Duration.between(job.getSubmitTime(), start).toSeconds())));
    }

    /** Returns the kinds of jobs there were, small ones first. */
    public List<Kind> kinds() {
        SortedMap<Likeness, List<Long>> waits =
                new TreeMap<>(Comparator.comparingInt(Likeness::mostProcs).thenComparingLong(Likeness::longestSeconds));
        for (Started job : jobs) {
            Likeness like = new Likeness((int) Math.min(1 << 30, upTo(job.procs())), upTo(job.seconds()));
            waits.computeIfAbsent(like, key -> new ArrayList<>()).add(job.waited());
        }
        List<Kind> kinds = new ArrayList<>();
        waits.forEach((like, waited) -> {
            waited.sort(Comparator.naturalOrder());
            kinds.add(new Kind(
                    like.mostProcs(), like.longestSeconds(), waited.size(), waited.get((waited.size() - 1) / 2)));
        });
        return kinds;
    }

    /** Returns the least power of two that is not below {@code value}. */
    private static long upTo(long value) {
        return value <= 1 ? 1 : Long.highestOneBit(value - 1) << 1;
    }
}
