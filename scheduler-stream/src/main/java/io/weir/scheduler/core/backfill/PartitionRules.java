package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.PartitionConfig;
import io.weir.scheduler.core.policy.reservation.ReservationPolicy;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which RESERVATIONPOLICY holds for a job: that of its partition where PARCFG names one, or else the site's. For a job that
 * may go to several partitions it is theirs when they agree, and the site's when they do not; a job that names no partition
 * may go to all. Serves one planning pass.
 */
final class PartitionRules {
    private final SitePolicy policy;
    private final ReservationStrategy site;
    private final ReservationStrategy unbound;
    private final boolean local;
    private final boolean retains;
    private final boolean reserves;

    PartitionRules(SitePolicy policy, NodeTable nodes) {
        this.policy = policy;
        site = ReservationStrategy.of(policy.reservations().policy());
        local = !policy.partitions().isEmpty()
                && policy.partitions().values().stream()
                        .map(PartitionConfig::reservations)
                        .anyMatch(own ->
                                own != null && own != policy.reservations().policy());
        SortedSet<String> partitions = local ? partitions(nodes) : Collections.emptySortedSet();
        unbound = common(partitions);
        boolean anyRetains = site.retains();
        boolean anyReserves = site.reserves();
        for (String partition : partitions) {
            anyRetains |= of(partition).retains();
            anyReserves |= of(partition).reserves();
        }
        retains = anyRetains;
        reserves = anyReserves;
    }

    private static SortedSet<String> partitions(NodeTable nodes) {
        SortedSet<String> partitions = new TreeSet<>();
        for (int position = 0; position < nodes.size(); position++) {
            partitions.add(nodes.at(position).partition());
        }
        return partitions;
    }

    /** Returns what holds for {@code job}. */
    ReservationStrategy of(Job job) {
        return !local || job.request().options().partitions().isEmpty()
                ? unbound
                : common(job.request().options().partitions());
    }

    /** Returns whether what holds depends on the partitions a job may use. */
    boolean local() {
        return local;
    }

    /** Returns whether the reservations of some job may outlast a pass. */
    boolean retains() {
        return retains;
    }

    /** Returns whether some job may get a priority reservation. */
    boolean reserves() {
        return reserves;
    }

    private ReservationStrategy common(Collection<String> partitions) {
        ReservationStrategy common = null;
        for (String partition : partitions) {
            ReservationStrategy own = of(partition);
            if (common != null && common != own) {
                return site;
            }
            common = own;
        }
        return common == null ? site : common;
    }

    private ReservationStrategy of(String partition) {
        ReservationPolicy own = policy.partition(partition).reservations();
        return own == null ? site : ReservationStrategy.of(own);
    }
}
