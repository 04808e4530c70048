package io.weir.scheduler.core.automation.trigger;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.TriggerWatch;
import io.weir.scheduler.core.trigger.ObjectKey;
import io.weir.scheduler.core.trigger.TriggerMetric;
import io.weir.scheduler.core.trigger.TriggerTemplate;
import io.weir.scheduler.core.trigger.TriggerThreshold;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures what thresholds of reservations and of the scheduler are about, where the configuration has such triggers. The
 * measurements of nodes come with their reports.
 */
final class Thresholds {
    private final ClusterState state;

    Thresholds(ClusterState state) {
        this.state = state;
    }

    void measure(long now) {
        for (TriggerTemplate template : state.triggers.rules().ofScheduler()) {
            TriggerThreshold threshold = template.spec().threshold();
            TriggerMetric metric = threshold == null ? null : threshold.metric();
            if (threshold != null && metric != null) {
                long value = ofScheduler(metric);
                state.triggers.measured(
                        new ObjectKey("scheduler", state.cluster),
                        null,
                        template,
                        null,
                        threshold.passed((double) value),
                        Long.toString(value));
            }
        }
        for (AdministrativeReservation reservation : measured()) {
            if (reservation.start() <= now && now < reservation.end()) {
                measure(reservation);
            }
        }
    }

    /** Returns the reservations that may have a trigger with a threshold. */
    private List<AdministrativeReservation> measured() {
        boolean any = state.triggers.rules().hasThresholdsOf("SRCFG")
                || state.triggers.rules().hasThresholdsOf("RSVPROFILE");
        if (any) {
            return List.copyOf(state.administrativeReservations.all());
        }
        List<AdministrativeReservation> measured = new ArrayList<>();
        for (ObjectKey key : state.triggers.measured("rsv")) {
            AdministrativeReservation reservation = state.administrativeReservations.get(key.id());
            if (reservation != null) {
                measured.add(reservation);
            }
        }
        return measured;
    }

    private void measure(AdministrativeReservation reservation) {
        for (TriggerTemplate template : state.watch.thresholds(reservation)) {
            TriggerThreshold threshold = template.spec().threshold();
            if (threshold != null) {
                long percent = percent(reservation);
                state.triggers.measured(
                        new ObjectKey("rsv", reservation.id()),
                        TriggerWatch.owner(reservation),
                        template,
                        null,
                        threshold.passed((double) percent),
                        Long.toString(percent));
            }
        }
    }

    /** Returns how much of a reservation's processors its jobs hold, in percent, rounded down. */
    private long percent(AdministrativeReservation reservation) {
        long used = 0;
        for (ReservedNode node : reservation.nodes()) {
            int position = state.nodes.position(node.nodeId());
            if (position < 0) {
                continue;
            }
            long here = 0;
            for (var share : state.nodes.sharesAt(position).entrySet()) {
                Job job = state.jobs.get(share.getKey());
                if (job != null && job.active() && state.access.mayUse(job, reservation)) {
                    here += procs(share.getValue());
                }
            }
            used += Math.min(here, node.amount().procs());
        }
        return reservation.procs() == 0 ? 0 : used * 100 / reservation.procs();
    }

    private static long procs(NodeShare share) {
        return share.procs();
    }

    private long ofScheduler(TriggerMetric metric) {
        return switch (metric) {
            case BACKLOG -> state.jobs.waitingIds().size();
            case FREENODES -> free();
            case DOWNNODES -> state.nodes.sums().unplannable();
            case GMETRIC, CPULOAD, AVAILMEM, AVAILPROC, USAGE ->
                throw new IllegalArgumentException(metric + " is not measured for the scheduler");
        };
    }

    /** Returns how many nodes have no job; asked only where a trigger waits for that. */
    private long free() {
        long free = 0;
        for (int i = 0; i < state.nodes.size(); i++) {
            free += state.nodes.jobsAt(i) == 0 && !state.nodes.closed(i) ? 1 : 0;
        }
        return free;
    }
}
