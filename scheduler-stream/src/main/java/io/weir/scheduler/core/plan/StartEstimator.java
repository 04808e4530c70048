package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationTable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when and where a job could start, without effect on scheduling. Always follows nodes one by one, so that the
 * answer names them; where processors are counted to plan jobs, it is the count that says when. Serves one question.
 */
public final class StartEstimator {
    /** Jobs ahead in the queue that are given their slots before the one in question; those behind count for nothing. */
    private static final int MOST_AHEAD = 1_000;

    /** What placing a job costs beside looking at nodes. */
    private static final int PER_JOB = 10;

    private final NodePlan plan;

    /** Tells when jobs start that take any processors; null where nodes are followed to plan them. */
    private final @Nullable ProcessorCountPlan counted;

    private final JobTable jobs;
    private final ReservationTable reservations;
    private final long now;

    /** Looks of searches in the plan before this question. */
    private final long before;

    /** What is not counted there, such as making the plan. */
    private long others;

    StartEstimator(
            NodePlan plan,
            @Nullable ProcessorCountPlan counted,
            JobTable jobs,
            ReservationTable reservations,
            long now) {
        this.plan = plan;
        this.counted = counted;
        this.jobs = jobs;
        this.reservations = reservations;
        this.now = now;
        before = plan.looks();
        others = 2L * plan.size();
    }

    /** Returns what was asked so far cost, in looks at nodes. */
    public long looks() {
        return others + plan.looks() - before;
    }

    /**
     * A place in time and on nodes.
     *
     * @param start first second, epoch seconds
     * @param positions positions of the nodes, in the order in which tasks lie on them
     * @param tasks tasks on all of them
     */
    public record Place(long start, List<Integer> positions, int tasks) {}

    /** Keeps what jobs that wait have reserved, {@code except} one of them. */
    public StartEstimator keepingReservations(@Nullable String except) {
        for (Reservation reservation : reservations.all()) {
            Job job = jobs.get(reservation.jobId());
            if (job != null && !job.id().equals(except)) {
                Slot slot = plan.reserved(job, reservation);
                slot = slot == null ? plan.earliest(job, Math.max(now, reservation.start())) : slot;
                if (slot != null) {
                    plan.take(slot);
                    others += 1 + slot.shares().size();
                }
                if (counted != null) {
                    Slot kept = counted.reserved(job, reservation);
                    count(counted, kept == null ? counted.earliest(job, Math.max(now, reservation.start())) : kept);
                }
            }
        }
        return this;
    }

    /**
     * Gives the jobs that are ahead of {@code job} in the queue their earliest slots, as long as there are not too many and
     * all that was asked so far cost less than {@code most} looks at nodes. Returns how many were left out, those of several
     * requirements that cost too much among them.
     */
    public int behindTheQueue(Job job, long most) {
        JobQueue queue = jobs.queue();
        int end = Math.max(0, queue.position(job));
        int left = 0;
        for (int i = 0; i < end; i++) {
            if (i >= MOST_AHEAD || looks() >= most) {
                return left + end - i;
            }
            others += PER_JOB;
            Job ahead = queue.get(i);
            Slot slot = ahead.notBefore() <= now ? plan.earliest(ahead, now) : null;
            if (slot != null) {
                plan.take(slot);
                others += slot.shares().size();
            } else if (plan.spent(ahead)) {
                left++;
            }
            if (counted != null && ahead.notBefore() <= now) {
                count(counted, counted.earliest(ahead, now));
            }
        }
        return left;
    }

    private void count(ProcessorCountPlan processors, @Nullable Slot slot) {
        if (slot != null) {
            processors.take(slot);
            others++;
        }
    }

    /** Returns where {@code job} could start at the earliest; null for never. */
    public @Nullable Place earliest(Job job) {
        others += PER_JOB;
        long from = Math.max(now, job.notBefore());
        Place place = place(plan.earliest(job, from));
        ProcessorCountPlan count = counting(job);
        return count == null ? place : at(count.earliest(job, from), place);
    }

    /** Returns where {@code job} could start now; null for nowhere. */
    public @Nullable Place present(Job job) {
        others += PER_JOB + plan.openNodes();
        Place place = place(plan.now(job));
        ProcessorCountPlan count = counting(job);
        if (count == null) {
            return place;
        }
        Slot slot = count.now(job);
        return at(slot, slot != null && place == null ? place(plan.earliest(job, now)) : place);
    }

    /** Returns the count that tells when {@code job} may start; null where it is its nodes that tell. */
    private @Nullable ProcessorCountPlan counting(Job job) {
        return job.request().fungible() ? counted : null;
    }

    /** Returns {@code place} at the time of {@code slot}: any nodes will do, and that many it could be. */
    private static @Nullable Place at(@Nullable Slot slot, @Nullable Place place) {
        return slot == null || place == null ? null : new Place(slot.start(), place.positions(), place.tasks());
    }

    /** Returns the windows of idle processors that begin now, widest first; each lasts longer than the one before. */
    public List<Window> windows() {
        others += plan.size();
        return counted != null ? counted.windows() : plan.windows();
    }

    private static @Nullable Place place(@Nullable Slot slot) {
        if (slot == null) {
            return null;
        }
        Set<Integer> positions = new LinkedHashSet<>();
        int tasks = 0;
        for (TaskShare share : slot.shares()) {
            positions.add(share.position());
            tasks += share.tasks();
        }
        return new Place(slot.start(), List.copyOf(positions), tasks);
    }
}
