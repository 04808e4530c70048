package io.weir.scheduler.stream;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.stream.pacing.Pacing;
import io.weir.scheduler.stream.quarantine.CurrentStep;
import io.weir.scheduler.stream.quarantine.Diagnosis;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.scheduler.stream.quarantine.TaskStep;
import io.weir.scheduler.stream.quarantine.Trial;
import io.weir.scheduler.stream.waiting.WallWait;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the iterations of one cluster: when a heartbeat has to be answered, an urgent fact came, or the core wants one.
 * After a failure it first sets aside what the iteration would fail on. Owned by the stream thread.
 */
final class IterationRunner {
    private final ClusterTask task;
    private final StreamSettings settings;
    private final Suspicions suspicions;
    private final CurrentStep step;
    private final Function<String, ClusterScheduler> cores;
    private final OutputLimits limits;
    private final Supplier<Instant> system;
    private final Supplier<@Nullable Instant> rmTime;
    private final Trial trial;
    private final Pacing pacing;
    private final DomainClock clock;
    private final Consumer<Quarantine> quarantine;
    private final StandingTime standing;

    /** Since this run of the scheduler takes in facts, or took in the last heartbeat that was late. */
    private WallWait listening;

    /** Since the first urgent fact after the last iteration came; null when none has. */
    private @Nullable WallWait urgent;

    /**
     * Creates the runner of {@code task}'s iterations.
     *
     * @param system this machine's time
     * @param rmTime the latest time a resource manager told; null when none has
     * @param trial is told that the core moved on
     * @param pacing says when there is time for an iteration
     * @param quarantine puts what is set aside into the journal
     * @param standing is told whether the cluster's time stands still
     */
    IterationRunner(
            ClusterTask task,
            StreamSettings settings,
            Suspicions suspicions,
            CurrentStep step,
            Function<String, ClusterScheduler> cores,
            OutputLimits limits,
            Supplier<Instant> system,
            Supplier<@Nullable Instant> rmTime,
            Trial trial,
            Pacing pacing,
            Consumer<Quarantine> quarantine,
            StandingTime standing) {
        this.standing = standing;
        this.task = task;
        this.settings = settings;
        this.suspicions = suspicions;
        this.step = step;
        this.cores = cores;
        this.limits = limits;
        this.system = system;
        this.rmTime = rmTime;
        this.trial = trial;
        this.pacing = pacing;
        this.clock = new DomainClock(settings.clock(), settings.maxSkew());
        this.quarantine = quarantine;
        this.listening = new WallWait(system.get());
    }

    ClockMode clockMode() {
        return clock.mode();
    }

    /** Has an iteration follow soon. */
    void hurry() {
        if (urgent == null) {
            urgent = new WallWait(system.get());
        }
    }

    /** Has an iteration follow soon if {@code fact}, which made {@code changes}, does not wait for a heartbeat. */
    void applied(Fact fact, List<Change> changes) {
        if (isUrgent(fact, changes)) {
            hurry();
        }
    }

    /**
     * Answers a heartbeat that was applied. By the resource manager's clock each has an iteration of its own; by this
     * machine's, one that comes while there is no time for it shares the next.
     */
    void answer(HeartbeatReference heartbeat, Instant rmTime) {
        if (isLate(rmTime)) {
            listening = new WallWait(system.get());
        }
        if (clock.mode() == ClockMode.RM) {
            iterate(rmTime, IterationTrigger.HEARTBEAT, heartbeat);
        } else if (pacing.permits()) {
            iterate(system.get(), IterationTrigger.HEARTBEAT, heartbeat);
        } else {
            hurry();
        }
    }

    /**
     * Returns whether a heartbeat that is taken in now is about as old as silence would have to be: the resource manager's
     * clock is behind, the cluster's time was told by one that was ahead, or inputs wait. Its age says nothing of silence then.
     */
    private boolean isLate(Instant rmTime) {
        @Nullable Instant last = task.chain().now();
        Instant at = system.get();
        Instant now = last == null || last.isBefore(at) ? at : last;
        return Duration.between(rmTime, now).compareTo(task.patience().dividedBy(2)) > 0;
    }

    /** Runs an iteration when an urgent fact has waited long enough, or the core wants one, and there is time for it. */
    void iterateIfDue(Instant at) {
        @Nullable Instant wake = task.chain().nextWake();
        @Nullable Instant last = task.chain().now();
        boolean event = urgent != null && urgent.isOver(settings.coalesce(), at);
        boolean wanted = wake != null
                && (last == null || wake.isAfter(last))
                && !clock.now(at, rmTime.get(), last).isBefore(wake);
        wanted |= task.awaitsListening() && listened(at);
        if ((event || wanted) && pacing.permits()) {
            iterate(at, event ? IterationTrigger.EVENT : IterationTrigger.WAKE, null);
        }
    }

    /**
     * Returns whether this run has taken in facts for long enough at {@code at}, by this machine's clock, for silence of a
     * resource manager to be one: what was reported while no scheduler ran may still wait, and what was just heard of is not
     * silent because its clock is behind. Where a resource manager keeps the time, none passes before it is heard of.
     */
    private boolean listened(Instant at) {
        return clock.mode() == ClockMode.RM || listening.isOver(task.patience(), at);
    }

    /**
     * Runs an iteration at {@code at}.
     *
     * @param answers the heartbeat it answers; null for none
     */
    private void iterate(Instant at, IterationTrigger trigger, @Nullable HeartbeatReference answers) {
        @Nullable Instant reported = clock.mode() == ClockMode.RM ? at : rmTime.get();
        Instant now = clock.now(at, reported, task.chain().now());
        standing.note(task.cluster(), now, clock.told(at, reported));
        if (prepare(now)) {
            long number = task.chain().iteration() + 1;
            step.set(new TaskStep.Iterating(task.cluster(), number));
            boolean listened = listened(system.get());
            pacing.iterate(() -> task.iterate(now, listened, trigger, answers));
            trial.changed();
            step.set(TaskStep.NONE);
            suspicions.iterated(task.cluster(), number);
        }
        urgent = suspicions.isUnfinished(task.cluster()) ? new WallWait(at) : null;
    }

    /**
     * After a failure sets aside what the next iteration would fail on. What another build failed on gets another chance.
     *
     * @return whether there is to be an iteration
     */
    private boolean prepare(Instant now) {
        if (suspicions.halted(task.cluster()).isPresent()) {
            return false;
        }
        for (Quarantine known : task.quarantined()) {
            boolean mended = !known.getBuild().equals(settings.build());
            if (mended && known.getKind() != QuarantineKind.JOB) {
                quarantine.accept(Quarantine.newBuilder(known)
                        .setCause("")
                        .setMessage("build " + settings.build() + " runs, " + known.getBuild() + " failed")
                        .setTime(system.get())
                        .setBuild(settings.build())
                        .setLifted(true)
                        .build());
            }
        }
        if (!suspicions.isSuspect(task.cluster())) {
            return true;
        }
        step.set(TaskStep.NONE);
        try {
            Diagnosis.Finding finding = new Diagnosis(
                            task.cluster(), task::snapshot, cores, limits, now, settings.build(), Diagnosis.LONGEST)
                    .run(suspicions.isPatient(task.cluster()));
            finding.aside().forEach(quarantine);
            if (!finding.aside().isEmpty()) {
                suspicions.found(task.cluster(), task.chain().iteration() + 1, finding.complete());
            }
            return finding.complete();
        } catch (Diagnosis.HopelessException e) {
            suspicions.halt(task.cluster(), e);
            return false;
        }
    }

    private boolean isUrgent(Fact fact, List<Change> changes) {
        if (clock.mode() != ClockMode.WALL || fact.record() instanceof Heartbeat) {
            return false;
        }
        if (fact.record() instanceof NodeReport node) {
            return node.getFailing() || node.getState() == NodeState.DOWN || node.getState() == NodeState.REMOVED;
        }
        if (fact.record() instanceof GenericEvent event && event.getMeasurements() != null) {
            return false;
        }
        return !(fact.record() instanceof JobReport)
                || changes.stream().anyMatch(change -> change.kind() == EntityKind.JOB);
    }
}
