package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.MagneticNodes;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmReservation;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's own reservations, maintenance windows among them: those that are no copies of Weir's. Slurm starts no job on
 * what they keep that would run into them, unless the job names the reservation; such a job starts nowhere else. One that is
 * magnetic admits jobs that do not name it. One of cores leaves the others of its nodes to anybody. One thread.
 */
final class ForeignReservations {
    private static final String MIRRORED = "weir-";

    private final NodePartitions nodes;
    private List<SlurmReservation> reservations = List.of();

    /** Takes over what Slurm has now; returns whether that is something else than before. */
    boolean see(List<SlurmReservation> all) {
        List<SlurmReservation> own = all.stream()
                .filter(reservation -> !reservation.name().startsWith(MIRRORED))
                .toList();
        boolean changed = !own.equals(reservations);
        reservations = own;
        return changed;
    }

    /** Returns the nodes of all of them. */
    Set<String> nodes() {
        return reservations.stream()
                .flatMap(reservation -> reservation.nodes().stream())
                .collect(Collectors.toSet());
    }

    ForeignReservations(NodePartitions nodes) {
        this.nodes = nodes;
    }

    /** Returns the one the job asks for by name, if there is one: of several the first that has begun, or the first to begin. */
    Optional<SlurmReservation> askedBy(SlurmJob job, Instant now) {
        List<SlurmReservation> asked = names(job).stream()
                .flatMap(name -> reservations.stream()
                        .filter(reservation -> reservation.name().equals(name)))
                .filter(reservation ->
                        reservation.end() == null || reservation.end().isAfter(now))
                .toList();
        return asked.stream()
                .filter(reservation -> reservation.hasBegun(now))
                .findFirst()
                .or(() -> asked.stream().min(Comparator.comparing(ForeignReservations::begins)));
    }

    private static Instant begins(SlurmReservation reservation) {
        return reservation.start() == null ? Instant.MIN : reservation.start();
    }

    private static List<String> names(SlurmJob job) {
        @Nullable String named = job.demands().reservation();
        return named == null ? List.of() : List.of(named.split(",", -1));
    }

    /** Returns the nodes that others keep from the job if it starts now, or that it cannot be given while it runs. */
    Set<String> keptFrom(SlurmJob job, Instant now) {
        TreeSet<String> kept = new TreeSet<>();
        Instant until = end(job, now);
        List<String> asked = names(job);
        for (SlurmReservation reservation : reservations) {
            if (!asked.contains(reservation.name())
                    && reservation.overlaps(now, until)
                    && !attracts(reservation, job, now)) {
                kept.addAll(full(reservation, job));
            }
        }
        return kept;
    }

    /**
     * Slurm gives a job that a reservation attracts nodes of that alone, so the job has to be one for which these are enough, or which
     * has its nodes of one side.
     */
    private boolean attracts(SlurmReservation reservation, SlurmJob job, Instant now) {
        return reservation.attracts(job, now)
                && (mayTakeSides(job)
                        ? !leavesCores(reservation)
                                && reservation.nodes().containsAll(job.demands().hosts())
                        : isOfOneNode(job) || namesNodesOf(reservation, job));
    }

    private static boolean isOfOneNode(SlurmJob job) {
        return job.demands().hosts().isEmpty()
                && (job.staysOnOneNode() || job.demands().mostNodes() == 1);
    }

    private static boolean namesNodesOf(SlurmReservation reservation, SlurmJob job) {
        List<String> hosts = job.demands().hosts();
        return !hosts.isEmpty()
                && !job.demands().leavesNodesOpen()
                && reservation.nodes().containsAll(hosts);
    }

    /** Says whether a job may have its nodes of several sets: it may run on several nodes, and does not ask for sets of its own. */
    private static boolean mayTakeSides(SlurmJob job) {
        return job.isPending()
                && job.isWhole()
                && !isOfOneNode(job)
                && (job.demands().hosts().isEmpty() || job.demands().leavesNodesOpen())
                && job.demands().oneOf().isEmpty()
                && job.demands().reservation() == null;
    }

    /**
     * Returns the sets of nodes, by their features, of one of which the job has its nodes: magnetic reservations that attract it, and
     * all that is in none; empty when none attracts it.
     */
    List<String> sides(SlurmJob job, Instant now) {
        if (!mayTakeSides(job)) {
            return List.of();
        }
        List<SlurmReservation> attracting = reservations.stream()
                .filter(reservation -> reservation.overlaps(now, now.plusSeconds(1)) && attracts(reservation, job, now))
                .toList();
        return attracting.isEmpty()
                ? List.of()
                : MagneticNodes.sets(attracting, job.demands().hosts().isEmpty());
    }

    /** Returns the nodes of magnetic reservations, whole ones. */
    MagneticNodes magnetic(Instant now) {
        return MagneticNodes.of(
                reservations.stream()
                        .filter(reservation -> !leavesCores(reservation))
                        .toList(),
                now);
    }

    /** Returns the nodes of which a reservation leaves too little for a task of the job; of several it keeps as much of each. */
    private Set<String> full(SlurmReservation reservation, SlurmJob job) {
        if (!leavesCores(reservation)) {
            return reservation.nodes();
        }
        int threads = nodes.threads(job.partitions());
        long wanted = (job.procsPerTask(threads) + threads - 1L) / threads;
        long count = reservation.nodes().size();
        long ofEach = (reservation.cores() + count - 1) / count;
        return reservation.nodes().stream()
                .filter(node -> nodes.cores(node) - ofEach < wanted)
                .collect(Collectors.toSet());
    }

    /** Says whether a reservation leaves cores of its nodes to others. */
    private boolean leavesCores(SlurmReservation reservation) {
        int all = reservation.nodes().stream().mapToInt(nodes::cores).sum();
        return reservation.cores() > 0 && reservation.cores() < all;
    }

    /** Returns when the answers about the job change by the passing of time; null for not. */
    @Nullable
    Instant nextChange(SlurmJob job, Instant now) {
        @Nullable Instant next = null;
        Duration limit = Duration.between(now, end(job, now));
        for (SlurmReservation reservation : reservations) {
            next = sooner(next, reservation.start() == null ? null : reservation.start(), now);
            next = sooner(
                    next,
                    reservation.start() == null ? null : reservation.start().minus(limit),
                    now);
            next = sooner(next, reservation.end(), now);
        }
        return next;
    }

    private static Instant end(SlurmJob job, Instant now) {
        @Nullable Instant limit = job.isRunning() ? job.end() : null;
        return limit != null ? limit : now.plusSeconds(Math.max(1, job.limitMinutes()) * 60);
    }

    private static @Nullable Instant sooner(@Nullable Instant a, @Nullable Instant b, Instant now) {
        if (b == null || !b.isAfter(now)) {
            return a;
        }
        return a == null || b.isBefore(a) ? b : a;
    }
}
