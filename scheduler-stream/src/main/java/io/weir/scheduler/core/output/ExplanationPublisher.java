package io.weir.scheduler.core.output;

import io.weir.scheduler.core.explain.Explainer;
import io.weir.scheduler.core.explain.ExplanationContext;
import io.weir.scheduler.core.explain.NodeVerdicts;
import io.weir.scheduler.core.explain.WaitCause;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.Explanation;
import io.weir.schemas.QuarantineKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the published explanations of the jobs at the head of the queue up to date. A job is looked at again when
 * something it was explained with is no longer so: its reservation came, went or moved, a blocker is gone, a deferral is
 * over. What is found is published when the binding constraint or the blockers changed, or the expected start moved
 * noticeably or has passed. The work of one iteration is bounded; jobs it does not get to are looked at in the next.
 */
public final class ExplanationPublisher {
    /** The expected start has to move by more than this, in seconds. */
    private static final long LEAST_MOVE_SECONDS = 60;

    /** And by more than this part of the remaining wait. */
    private static final long PART_OF_WAIT = 10;

    /** Nodes and shares of nodes that may be looked at before the rest waits for the next iteration. */
    private static final long MOST_VISITS = 20_000;

    /** How far the review begins behind where it began the iteration before; a prime number. */
    private static final long TURN = 97;

    private final ClusterState state;
    private final boolean halted;
    private final long now;

    /** Made when the first explanation is looked for: often none is. */
    private @Nullable ExplanationContext context;

    private @Nullable Explainer explainer;

    /** Prepared when a question first needs it. */
    private @Nullable NodeVerdicts verdicts;

    /** Jobs that were asked about in this iteration: what is published of them has to agree with the answer. */
    private final Set<String> asked = new LinkedHashSet<>();

    public ExplanationPublisher(ClusterState state, long now) {
        this.state = state;
        this.now = now;
        this.halted = !state.domain.standing.schedules();
    }

    /** Returns what finds explanations. */
    private Explainer explainer() {
        Explainer made = explainer;
        if (made == null) {
            made = new Explainer(context());
            explainer = made;
        }
        return made;
    }

    private ExplanationContext context() {
        ExplanationContext made = context;
        if (made == null) {
            made = new ExplanationContext(
                    state.jobs,
                    state.nodes,
                    state.reservations,
                    state.administrativeReservations,
                    state.access,
                    state.placement,
                    state.planner.nodeSets(),
                    state.pluginAllocations,
                    state.liens,
                    state.planner.planned(),
                    state.domain.policy,
                    now);
            context = made;
        }
        return made;
    }

    /** Returns what single nodes say to jobs. */
    public NodeVerdicts verdicts() {
        if (verdicts == null) {
            verdicts = new NodeVerdicts(context());
        }
        return verdicts;
    }

    /** Returns how many nodes and shares of nodes were looked at so far. */
    public long visits() {
        return (explainer == null ? 0 : explainer.visits()) + (verdicts == null ? 0 : verdicts.visits());
    }

    /** Says why {@code job} waits, whether that is published or not; if it is, it is looked at again. */
    public WaitCause explain(Job job) {
        asked.add(job.id());
        return cause(job);
    }

    /** While nothing is scheduled, that is what keeps a job waiting that nothing else plainly does. */
    private WaitCause cause(Job job) {
        if (!halted || explainer().evident(job)) {
            return explainer().explain(job);
        }
        Reservation own = state.reservations.get(job.id());
        return WaitCause.plain(
                WaitCause.SCHEDULER,
                own == null || own.start() < now ? Job.NONE : own.start(),
                "waits because scheduling is "
                        + state.domain.standing.state().name().toLowerCase(Locale.ROOT));
    }

    /** Brings the explanations up to date; {@code outputs} gets those that changed. */
    public void update(IterationOutputs outputs) {
        JobQueue queue = state.jobs.queue();
        int depth = Math.min(queue.size(), state.domain.policy.scheduler().explainDepth());
        if (!state.observation.publishes() || (depth == 0 && state.explanations.size() == 0)) {
            return;
        }
        state.explanations.begin();
        List<Job> others = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            Job job = queue.get(i);
            Explanation known = state.explanations.keep(job.id());
            boolean wanted = !asked.isEmpty() && asked.contains(job.id());
            if (wanted || halted || explainer().evident(job)) {
                publish(job, i + 1, known, outputs);
            } else if ((known == null || stale(job, known)) && mayLook()) {
                publish(job, i + 1, known, outputs);
            } else if (known != null) {
                others.add(job);
            }
        }
        review(others, outputs);
        for (String gone : state.explanations.forgotten()) {
            state.explanations.remove(gone);
            outputs.unexplained(gone);
        }
    }

    /**
     * Looks again at jobs whose explanation still seems to hold, as something better may explain them by now: at all when
     * there is time for that, or else at some in each iteration, in turn.
     */
    private void review(List<Job> jobs, IterationOutputs outputs) {
        int first = jobs.isEmpty() ? 0 : (int) (state.domain.nextIteration() * TURN % jobs.size());
        for (int i = 0; i < jobs.size() && mayLook(); i++) {
            Job job = jobs.get((first + i) % jobs.size());
            publish(job, state.jobs.queue().position(job) + 1, state.explanations.get(job.id()), outputs);
        }
    }

    /**
     * Returns whether nodes may be looked at for the next job: where there are so many that one job takes more looks than an
     * iteration should make, none are in all iterations but one of so many.
     */
    private boolean mayLook() {
        long turns = (state.nodes.size() + MOST_VISITS - 1) / MOST_VISITS;
        return explainer().visits() <= MOST_VISITS && (turns <= 1 || state.domain.nextIteration() % turns == 0);
    }

    private void publish(Job job, int position, @Nullable Explanation known, IterationOutputs outputs) {
        state.work.on(QuarantineKind.JOB, job.id());
        WaitCause cause = cause(job);
        if (known == null
                || !known.getConstraint().equals(cause.constraint())
                || !known.getBlockers().equals(cause.blockers())
                || moved(known, cause.expectedStart())) {
            Explanation next = outputs.explained(
                    job.id(), cause, position, state.priorities().priority(job, now));
            state.explanations.put(next);
        }
    }

    /** Returns whether something that {@code known} was found from is no longer so. */
    private boolean stale(Job job, Explanation known) {
        Reservation own = state.reservations.get(job.id());
        String constraint = known.getConstraint();
        return halted
                || known.getBlockers().isEmpty()
                || explainer().evident(job)
                || moved(known, own == null ? Job.NONE : own.start())
                || !explainer().stillBlocked(constraint, known.getBlockers());
    }

    private boolean moved(Explanation known, long expected) {
        Instant before = known.getExpectedStart();
        if (before == null || expected == Job.NONE) {
            return before != null || expected != Job.NONE;
        }
        long start = before.getEpochSecond();
        long moved = Math.abs(expected - start);
        return (moved > 0 && start <= now)
                || moved > Math.max(LEAST_MOVE_SECONDS, Math.max(0, expected - now) / PART_OF_WAIT);
    }
}
