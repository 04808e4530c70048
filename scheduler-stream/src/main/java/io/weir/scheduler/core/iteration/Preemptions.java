package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Preemption;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.scheduler.PreemptionPolicy;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.util.ArrayList;
import java.util.List;

/** Tells jobs to give way to others, and sees to it that nobody waits for ever for one that does not. One iteration's use. */
final class Preemptions {
    /** How long a job may take to give up its nodes, seconds. */
    private static final long LONGEST_EXIT = 600;

    /** How long room is kept for a job once it was made, seconds: the nodes may have to be cleaned first. */
    private static final long LONGEST_STAY = 300;

    /** Jobs that a message names. */
    private static final int MOST_LISTED = 10;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    Preemptions(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /** Has {@code victims} end to make room for {@code preemptor}. */
    void begin(Job preemptor, List<Job> victims) {
        List<String> told = new ArrayList<>();
        for (Job victim : victims) {
            boolean requeued =
                    state.domain.policy.preemption().policy() != PreemptionPolicy.CANCEL && isRestartable(victim);
            CommandKind command = requeued ? CommandKind.REQUEUE_JOB : CommandKind.CANCEL_JOB;
            String why = "preempted by job " + preemptor.id();
            if (outputs.command(victim, command, requeued ? DecisionKind.REQUEUE : DecisionKind.CANCEL, now, why)) {
                state.emit(victim.edit()
                        .commanded(command, outputs.lastNumber(victim))
                        .givingWay(preemptor.id(), now)
                        .message(why));
                told.add(victim.id());
            }
        }
        state.emit(preemptor.edit().makingRoom(attempt(preemptor)).message("preempts " + listed(told)));
    }

    /** Returns the instant by which those that stayed in spite of an earlier attempt are told from those of this one. */
    private long attempt(Job preemptor) {
        long since = now;
        for (Job other : state.jobs.preemptions()) {
            Preemption preemption = other.preemption();
            if (preemption != null && preemption.failed() && preemptor.id().equals(preemption.by())) {
                since = Math.max(since, preemption.since() + 1);
            }
        }
        return since;
    }

    private static String listed(List<String> ids) {
        String first = String.join(", ", ids.subList(0, Math.min(MOST_LISTED, ids.size())));
        return ids.size() <= MOST_LISTED ? first : first + " and " + (ids.size() - MOST_LISTED) + " others";
    }

    private static boolean isRestartable(Job job) {
        return !Boolean.FALSE.equals(job.request().extension().failure().restartable());
    }

    /** Gives up what takes too long. */
    void settle() {
        for (Job job : List.copyOf(state.jobs.preemptions())) {
            if (end(state, job) <= now) {
                state.work.on(QuarantineKind.JOB, job.id());
                giveUp(job);
            }
        }
    }

    private void giveUp(Job job) {
        if (job.active() && job.givesWay()) {
            state.emit(job.edit().stays());
            state.domain.notice(
                    Severity.WARNING,
                    "commandrefused",
                    "job",
                    job.id(),
                    "job " + job.id() + " was told to make room and still runs after " + LONGEST_EXIT + " s");
        } else {
            state.emit(job.edit().withoutPreemption());
        }
        state.replan();
    }

    /** Returns the first instant at which something may have taken too long, epoch seconds; {@link Job#NONE} for none. */
    static long nextDue(ClusterState state) {
        long next = Job.NONE;
        for (Job job : state.jobs.preemptions()) {
            long end = end(state, job);
            next = next == Job.NONE ? end : Math.min(next, end);
        }
        return next;
    }

    /** Returns until when what preemption means to {@code job} lasts, epoch seconds: where one stays, others may give way instead. */
    private static long end(ClusterState state, Job job) {
        Preemption preemption = job.preemption();
        if (preemption == null || preemption.failed()) {
            return Long.MAX_VALUE;
        }
        if (preemption.by() != null) {
            return preemption.since() + LONGEST_EXIT;
        }
        boolean awaited = false;
        for (Job other : state.jobs.preemptions()) {
            if (other.staysInSpiteOf(job)) {
                return preemption.since();
            }
            awaited |= other.givesWayTo(job);
        }
        return preemption.since() + (awaited ? LONGEST_EXIT + LONGEST_STAY : LONGEST_STAY);
    }
}
