package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmReservation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's own reservations, maintenance windows among them: those that are no copies of Weir's. Slurm starts no job on
 * their nodes that would run into them, unless the job names the reservation; such a job starts nowhere else. One thread.
 */
final class ForeignReservations {
    private static final String MIRRORED = "weir-";

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

    /** Returns the one the job asks for by name, if there is one. */
    Optional<SlurmReservation> askedBy(SlurmJob job) {
        String name = job.demands().reservation();
        return reservations.stream()
                .filter(reservation -> reservation.name().equals(name))
                .findFirst();
    }

    /** Returns the nodes that others keep from the job if it starts now. */
    Set<String> keptFrom(SlurmJob job, Instant now) {
        TreeSet<String> kept = new TreeSet<>();
        Instant until = end(job, now);
        for (SlurmReservation reservation : reservations) {
            if (!reservation.name().equals(job.demands().reservation()) && reservation.overlaps(now, until)) {
                kept.addAll(reservation.nodes());
            }
        }
        return kept;
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
        return now.plusSeconds(Math.max(1, job.limitMinutes()) * 60);
    }

    private static @Nullable Instant sooner(@Nullable Instant a, @Nullable Instant b, Instant now) {
        if (b == null || !b.isAfter(now)) {
            return a;
        }
        return a == null || b.isBefore(a) ? b : a;
    }
}
