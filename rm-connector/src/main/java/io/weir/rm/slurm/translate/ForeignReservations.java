package io.weir.rm.slurm.translate;

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
                    && !attracts(reservation, job, now, until)) {
                kept.addAll(full(reservation, job));
            }
        }
        return kept;
    }

    /** Slurm gives a job that a reservation attracts nodes of that alone, so the job has to be one for which these are enough. */
    private static boolean attracts(SlurmReservation reservation, SlurmJob job, Instant now, Instant until) {
        List<String> hosts = job.demands().hosts();
        boolean fits = hosts.isEmpty()
                ? job.staysOnOneNode() || job.demands().mostNodes() == 1
                : reservation.nodes().containsAll(hosts);
        return fits && reservation.attracts(job, now, until);
    }

    /** Returns the nodes of which a reservation leaves too little for a task of the job; of several it keeps as much of each. */
    private Set<String> full(SlurmReservation reservation, SlurmJob job) {
        int all = reservation.nodes().stream().mapToInt(nodes::cores).sum();
        if (reservation.cores() <= 0 || reservation.cores() >= all) {
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
