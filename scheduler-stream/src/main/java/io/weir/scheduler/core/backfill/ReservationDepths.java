package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.reservation.ReservationGroup;
import java.util.Arrays;
import java.util.List;

/** How many of the top jobs of each reservation group have been ranked in this pass, and which group a job belongs to. */
final class ReservationDepths {
    /** A job that no group covers. */
    private static final int NONE = -1;

    private static final int UNKNOWN = -2;

    private final List<ReservationGroup> groups;
    private final PartitionRules rules;
    private final int[] left;

    /** By number of the quality of service, the group of its jobs as far as it was asked for. */
    private int[] groupOf = {};

    /** Groups with a place left. */
    private int open;

    /** Begins a pass in which every place is free; there are none where {@code strategy} reserves nothing. */
    ReservationDepths(SitePolicy policy, BackfillStrategy strategy, PartitionRules rules) {
        this.rules = rules;
        groups = strategy.reserves() && rules.reserves() ? policy.reservations().groups() : List.of();
        left = new int[groups.size()];
        for (int i = 0; i < left.length; i++) {
            left[i] = groups.get(i).depth();
            open += left[i] > 0 ? 1 : 0;
        }
    }

    /** Returns the first group in configuration order that covers {@code job}; -1 for none, or where its RESERVATIONPOLICY makes no reservations. */
    int group(Job job) {
        if (left.length == 0 || !rules.of(job).reserves()) {
            return NONE;
        }
        String qos = job.qos();
        for (int i = 0; i < left.length; i++) {
            if (groups.get(i).covers(qos == null ? "" : qos)) {
                return i;
            }
        }
        return NONE;
    }

    /** Returns whether the job at {@code position} is known to get no place any more, without a look at the job. */
    boolean closed(JobQueue queue, int position) {
        if (open == 0 || rules.local()) {
            return open == 0;
        }
        int qos = queue.columns().qos(queue.row(position));
        if (qos >= groupOf.length) {
            int known = groupOf.length;
            groupOf = Arrays.copyOf(groupOf, 2 * qos + 1);
            Arrays.fill(groupOf, known, groupOf.length, UNKNOWN);
        }
        if (groupOf[qos] == UNKNOWN) {
            groupOf[qos] = group(queue.get(position));
        }
        return !open(groupOf[qos]);
    }

    /** Returns whether any group has a place left. */
    boolean open() {
        return open > 0;
    }

    /** Returns whether {@code group} has a place left. */
    boolean open(int group) {
        return group != NONE && left[group] > 0;
    }

    /** Takes every place that is left. */
    void close() {
        Arrays.fill(left, 0);
        open = 0;
    }

    /** Takes a place of {@code group}; when none is left nothing changes. */
    void take(int group) {
        if (open(group) && left[group] != SitePolicy.UNLIMITED && --left[group] == 0) {
            open--;
        }
    }
}
