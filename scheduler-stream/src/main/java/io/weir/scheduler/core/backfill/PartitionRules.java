package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.PartitionConfig;
import io.weir.scheduler.core.policy.ReservationPolicy;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which RESERVATIONPOLICY holds for a job: that of its partition where PARCFG names one, or else the site's. For a job that
 * may go to several partitions it is theirs when they agree, and the site's when they do not; a job that names no partition
 * may go to all. Serves one planning pass.
 */
final class PartitionRules {
    private final SitePolicy policy;
    private final ReservationPolicy site;
    private final ReservationPolicy unbound;
    private final boolean local;
    private final SortedSet<ReservationPolicy> all = new TreeSet<>();

    PartitionRules(SitePolicy policy, NodeTable nodes) {
        this.policy = policy;
        site = policy.reservations().policy();
        local = policy.partitions().values().stream()
                .map(PartitionConfig::reservations)
                .anyMatch(own -> own != null && own != site);
        SortedSet<String> partitions = new TreeSet<>();
        for (int position = 0; local && position < nodes.size(); position++) {
            partitions.add(nodes.at(position).partition());
        }
        unbound = common(partitions);
        all.add(site);
        partitions.forEach(partition -> all.add(of(partition)));
    }

    /** Returns what holds for {@code job}. */
    ReservationPolicy of(Job job) {
        return !local || job.request().options().partitions().isEmpty()
                ? unbound
                : common(job.request().options().partitions());
    }

    /** Returns whether what holds depends on the partitions a job may use. */
    boolean local() {
        return local;
    }

    /** Returns whether {@code wanted} may hold for some job. */
    boolean any(ReservationPolicy wanted) {
        return all.contains(wanted);
    }

    /** Returns whether some job may get a priority reservation. */
    boolean reserves() {
        return policy.backfill().reserves()
                && (any(ReservationPolicy.HIGHEST) || any(ReservationPolicy.CURRENTHIGHEST));
    }

    private ReservationPolicy common(Collection<String> partitions) {
        ReservationPolicy common = null;
        for (String partition : partitions) {
            ReservationPolicy own = of(partition);
            if (common != null && common != own) {
                return site;
            }
            common = own;
        }
        return common == null ? site : common;
    }

    private ReservationPolicy of(String partition) {
        ReservationPolicy own = policy.partition(partition).reservations();
        return own == null ? site : own;
    }
}
