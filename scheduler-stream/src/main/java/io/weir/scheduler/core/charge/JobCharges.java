package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.schemas.Charge;
import io.weir.schemas.JobState;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what jobs hold or use, and charges their owners for it. Owned by the core's thread. */
final class JobCharges {
    private final ChargedRuns runs;
    private final PendingCharges pending;
    private final Refunds refunds;
    private ChargeTerms terms;

    JobCharges(ChargedRuns runs, PendingCharges pending, Refunds refunds, ChargeTerms terms) {
        this.runs = runs;
        this.pending = pending;
        this.refunds = refunds;
        this.terms = terms;
    }

    /** Goes by {@code next} from now on. */
    void configure(ChargeTerms next) {
        terms = next;
    }

    /** Charges {@code running} from {@code now} on, not for what they used before. */
    void begin(Collection<Job> running, long now) {
        for (Job job : running) {
            ChargedRun run = begin(job);
            run.notBefore(now);
            run.free = usedBefore(job).minus(run.counted);
        }
    }

    /** Charges a run up to {@code now}; what has to be completed to be charged was not while it would have been. */
    void suspend(ChargedRun run, Job job, long now) {
        if (terms.settings().policy().completedOnly()) {
            run.counted = run.charged;
            return;
        }
        count(run, job.shares(), now);
        countUsed(run, job.shares(), job.usedCpuSeconds());
        if (!run.counted.equals(run.charged)) {
            charge(run, job, null, true);
        }
    }

    /**
     * A job has another version; what it held is counted up to {@code now}.
     *
     * @param before the former version, null for a new one; it is active, or {@code after} is
     */
    void changed(@Nullable Job before, Job after, long now) {
        if (before == null || !before.active()) {
            begin(after);
            return;
        }
        if (after.active() && before.start() != after.start()) {
            restarted(before, after, now);
            return;
        }
        if (after.active() && before.shares().equals(after.shares())) {
            return;
        }
        ChargedRun run = run(before);
        long end = after.active() ? now : after.finished() && after.end() != Job.NONE ? after.end() : now;
        count(run, before.shares(), end);
        if (!after.active()) {
            finish(run, before, after);
        }
    }

    /** Its resource manager says that a job began at another time: what was charged already is a run of its own. */
    private void restarted(Job before, Job after, long now) {
        ChargedRun run = runs.ofJob(before.id());
        if (run != null && run.number > 0 && run.start == before.start()) {
            count(run, before.shares(), Math.max(run.start, Math.min(now, after.start())));
            finish(run, before, after);
        }
        begin(after);
    }

    private ChargedRun run(Job job) {
        ChargedRun known = runs.ofJob(job.id());
        return known != null && known.start == job.start() ? known : begin(job, 0);
    }

    /** Begins to charge a job that runs. */
    private ChargedRun begin(Job job) {
        ChargedRun old = runs.ofJob(job.id());
        ChargedRun run = begin(
                job,
                terms.settings().policy().completedOnly() ? 0 : terms.settings().jobFlushSeconds());
        boolean goesOn = old != null && old.start == run.start;
        if (!goesOn && run.start < terms.since()) {
            run.free = usedBefore(job);
        }
        return run;
    }

    private ChargedRun begin(Job job, long flushSeconds) {
        return runs.begin(ChargedRun.JOB, job.id(), job.start(), terms.since(), flushSeconds);
    }

    private static Quantities usedBefore(Job job) {
        Long cpu = job.usedCpuSeconds();
        return new Quantities(cpu == null ? 0 : cpu, 0, 0, 0, 0, 0, 0);
    }

    /** Counts a run that lasts up to {@code now}, at the rates in force until then. */
    void count(ChargedRun run, Job job, long now) {
        count(run, job.shares(), Math.max(run.countedTo, now));
    }

    private void count(ChargedRun run, List<NodeShare> shares, long to) {
        long until = Math.max(to, terms.since());
        run.counted = run.counted.plus(Quantities.of(shares, until - run.countedTo, terms.tariff()::ofNode));
        run.countedTo = until;
        runs.changed(run);
    }

    /**
     * Where processor time is charged, that is what counts, not the time for which processors were held; its rate is the mean
     * of these.
     */
    private void countUsed(ChargedRun run, List<NodeShare> shares, @Nullable Long cpuSeconds) {
        if (terms.settings().policy().used()) {
            long seconds = Math.max(0, (cpuSeconds == null ? 0 : cpuSeconds) - run.free.processorSeconds());
            Quantities held =
                    run.counted.processorSeconds() > 0 ? run.counted : Quantities.of(shares, 1, terms.tariff()::ofNode);
            run.counted = new Quantities(
                    seconds,
                    held.weighing(seconds),
                    run.counted.nodeSeconds(),
                    run.counted.gpuSeconds(),
                    run.counted.memoryMbSeconds(),
                    0,
                    0);
        }
    }

    private void finish(ChargedRun run, Job job, Job after) {
        boolean completed = after.state() == JobState.COMPLETED;
        boolean failed = !completed && refunds.endedBySystem(job, after);
        if (!terms.settings().policy().completedOnly() || completed) {
            Long cpu = after.usedCpuSeconds() == null ? job.usedCpuSeconds() : after.usedCpuSeconds();
            countUsed(run, job.shares(), cpu);
            String reason =
                    failed ? Refunds.SYSTEM : after.finished() ? after.state().name() : "REQUEUED";
            charge(run, job, reason, false);
            if (!completed) {
                refunds.ended(run, job, after, failed);
            }
        }
        runs.reschedule(run, ChargedRun.NEVER);
    }

    /** Charges a job that runs on up to {@code now}. */
    void flush(Job job, long now) {
        ChargedRun run = runs.ofJob(job.id());
        if (run != null
                && job.active()
                && run.start == job.start()
                && !terms.settings().policy().used()) {
            count(run, job.shares(), now);
            charge(run, job, null, true);
        }
    }

    private void charge(ChargedRun run, Job job, @Nullable String reason, boolean interim) {
        long total = terms.tariff().amount(run.counted.weighted(), job);
        Charge.Builder charge = terms.draft(run, total - run.amount, reason, interim);
        ChargeDraft.toOwner(charge, job, job.shares().stream().map(NodeShare::nodeId));
        Charge made = charge.build();
        pending.add(made);
        run.charged(made.getChargeId(), total);
        runs.changed(run);
    }
}
