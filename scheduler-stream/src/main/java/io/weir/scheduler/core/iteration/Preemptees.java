package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobRanking;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.policy.scheduler.PreemptionSettings;
import io.weir.scheduler.core.preemption.OwnerRights;
import io.weir.scheduler.core.preemption.PreemptionRights;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.JobState;
import io.weir.schemas.QuarantineKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The running jobs that may be preempted, those of the lowest priority first, and of these the youngest, who lose least. Ranked
 * when first asked for. One iteration's use.
 */
final class Preemptees {
    private static final Comparator<Ranked> IN_TURN = Comparator.comparingLong(Ranked::rank)
            .thenComparing(
                    Comparator.comparingLong((Ranked ranked) -> ranked.job().start())
                            .reversed())
            .thenComparing(ranked -> ranked.job().id());

    /** A job and its rank; {@code flagged} where jobs of a higher rank may preempt it wherever it runs. */
    private record Ranked(Job job, long rank, boolean flagged) {}

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;
    private @Nullable List<Ranked> all;
    private long next = Long.MAX_VALUE;

    Preemptees(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /** Returns when another job may be preempted, epoch seconds; {@link Long#MAX_VALUE} for never. */
    long next() {
        all();
        return next;
    }

    /** Returns whether jobs run, or begin to, that may be preempted some time. */
    boolean any() {
        if (state.domain.policy.scheduler().mode() == Mode.MONITOR) {
            return false;
        }
        PreemptionRights rights = state.planner.rights();
        OwnerRights owners = state.planner.owners();
        for (Job job : state.jobs.active()) {
            if (!job.givesWay() && (rights.isPreemptee(job) || owners.exposes(job, now))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns those that would leave {@code preemptor} what they hold: of a lower priority, where both are flagged, and those in
     * a reservation of its owner.
     */
    List<Job> of(Job preemptor) {
        long own = state.priorities().of(preemptor).at(now);
        boolean flagged = state.planner.rights().isPreemptor(preemptor);
        OwnerRights owners = state.planner.owners();
        List<Job> fit = new ArrayList<>();
        for (Ranked ranked : all()) {
            boolean outranked = flagged && ranked.flagged() && ranked.rank() < own;
            Job job = state.jobs.get(ranked.job().id());
            if (job != null
                    && isFree(job)
                    && (outranked || owners.mayPreempt(preemptor, job, now))
                    && leavesRoom(job, preemptor)) {
                fit.add(job);
            }
        }
        return fit;
    }

    private List<Ranked> all() {
        List<Ranked> ranked = all;
        if (ranked == null) {
            ranked = ranked();
            all = ranked;
        }
        return ranked;
    }

    private List<Ranked> ranked() {
        List<Ranked> ranked = new ArrayList<>();
        PreemptionRights rights = state.planner.rights();
        OwnerRights owners = state.planner.owners();
        PreemptionSettings settings = state.domain.policy.preemption();
        JobRanking priorities = state.priorities();
        for (Job job : state.jobs.active()) {
            long active = now - job.start();
            boolean tooOld = settings.maxActiveSeconds() != 0 && active >= settings.maxActiveSeconds();
            boolean flagged = rights.isPreemptee(job);
            if (tooOld || !isFree(job) || !(flagged || owners.exposes(job, now)) || !outputs.reaches(job)) {
                continue;
            }
            if (active >= settings.minActiveSeconds()) {
                ranked.add(new Ranked(job, priorities.of(job).at(now), flagged));
            } else {
                next = Math.min(next, job.start() + settings.minActiveSeconds());
            }
        }
        ranked.sort(IN_TURN);
        return ranked;
    }

    /** Returns whether nothing else is under way with {@code job}, and it was not told to give way before. */
    private boolean isFree(Job job) {
        return job.state() == JobState.RUNNING
                && job.preemption() == null
                && job.pending() == null
                && job.failedNodes().isEmpty()
                && !state.quarantine.has(QuarantineKind.JOB, job.id());
    }

    /** What {@code job} holds inside of a reservation goes back to that: it is none of a job's that is not let in. */
    private boolean leavesRoom(Job job, Job preemptor) {
        for (AdministrativeReservation reservation : state.administrativeReservations.on(job.shares())) {
            if (reservation.overlaps(now, job.plannedEnd())
                    && state.access.mayUse(job, reservation)
                    && !state.access.mayUse(preemptor, reservation)) {
                return false;
            }
        }
        return true;
    }
}
