package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.HostList;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a job by what was known before and what is told now: its record, or its line in the queue's listing alone,
 * which saves a call for each job that starts or ends as expected. Stateless.
 */
final class QueueReading {
    private final SlurmJobTranslation translation;
    private final Function<String, List<NodeAllocation>> startedOn;
    private final Predicate<String> starting;

    /**
     * Creates a reading.
     *
     * @param startedOn where a job was to go when it was started last
     * @param starting whether a start of that job is under way
     */
    QueueReading(
            SlurmJobTranslation translation,
            Function<String, List<NodeAllocation>> startedOn,
            Predicate<String> starting) {
        this.translation = translation;
        this.startedOn = startedOn;
        this.starting = starting;
    }

    /** Returns what is known of a job by its line alone; null if it has to be fetched. */
    @Nullable
    KnownJob byLine(KnownJob before, QueueLine line, Instant now) {
        SlurmJob job = before.job();
        if (before.line() == null) {
            return null;
        }
        if (line.text().equals(before.line().text())) {
            return renewed(before, now);
        }
        if (job.isPending() && line.onlyMissedStart(before.line(), now)) {
            return byRecord(before, line, job, now);
        }
        if (line.state().equals("PENDING") && job.isPending() && starting.test(line.id())) {
            // What changed is what the start wrote. Its line is still to come.
            return renewed(before, now);
        }
        if (!line.terms().equals(before.line().terms())) {
            return null;
        }
        if (wasSeenToLeave(job, line)) {
            return byRecord(before, line, job, now);
        }
        if (line.state().equals("RUNNING") && job.isPending() && runsAsTold(job, line)) {
            return byRecord(before, line, job.running(startedOn.apply(line.id()), line.started(), line.reason()), now);
        }
        if (line.state().equals(SlurmJob.COMPLETED) && line.ended() != null) {
            @Nullable SlurmJob ran = ran(job, line);
            return ran == null ? null : byRecord(before, line, ran.completed(line.ended(), line.reason()), now);
        }
        boolean leaves = line.state().equals(SlurmJob.COMPLETING) && job.isRunning();
        return leaves && job.nodes().equals(Set.copyOf(HostList.expand(line.nodes())))
                ? byRecord(before, line, job.leaving(line.ended()), now)
                : null;
    }

    /**
     * Returns what to say of a job by its record. While EpilogSlurmctld runs Slurm lists no nodes, which are not free all the
     * same: they are those it was seen on, or else was started on. A job of which nothing more is known is not spoken of until
     * it has left them: null, or what was said before.
     *
     * @param before null when it was not known
     * @param line null without squeue
     */
    @Nullable
    KnownJob byRecord(@Nullable KnownJob before, @Nullable QueueLine line, SlurmJob listed, Instant now) {
        SlurmJob job = listed;
        if (listed.isCompleting() && listed.allocation().isEmpty()) {
            List<NodeAllocation> nodes =
                    before != null && !before.job().allocation().isEmpty()
                            ? before.job().allocation()
                            : startedOn.apply(listed.key());
            if (nodes.isEmpty()) {
                return before == null ? null : new KnownJob(line, before.job(), before.report(), before.validUntil());
            }
            job = listed.on(nodes);
        }
        JobReport report = translation.report(job, now);
        return new KnownJob(
                line,
                job,
                before != null && report.equals(before.report()) ? before.report() : report,
                translation.validUntil(job, now));
    }

    /** Returns what is known of a job of which nothing new was told. */
    KnownJob renewed(KnownJob known, Instant now) {
        return known.validUntil() == null || now.isBefore(known.validUntil())
                ? known
                : new KnownJob(
                        known.line(),
                        known.job(),
                        translation.report(known.job(), now),
                        translation.validUntil(known.job(), now));
    }

    /** Says whether a line tells nothing new of a job that was seen to leave its nodes, or to have left them. */
    private static boolean wasSeenToLeave(SlurmJob job, QueueLine line) {
        boolean leaves = line.state().equals(SlurmJob.COMPLETING);
        return (leaves ? job.isCompleting() : job.hasEnded())
                && job.is(line.state())
                && job.end() != null
                && job.end().equals(line.ended());
    }

    /** Returns a job that has ended as it ran; null if the line does not tell that it ran as known. */
    private @Nullable SlurmJob ran(SlurmJob job, QueueLine line) {
        if (job.isPending()) {
            return runsAsTold(job, line)
                    ? job.running(startedOn.apply(line.id()), line.started(), line.reason())
                    : null;
        }
        boolean started = job.isRunning() || (job.isCompleting() && job.started() != null);
        return started && job.started() != null && job.started().equals(line.started()) ? job : null;
    }

    /** Says whether a job runs where Weir started it. On several nodes the line does not tell the processors of each. */
    private boolean runsAsTold(SlurmJob job, QueueLine line) {
        return job.array() == null
                && job.restarts() == 0
                && startedOn.apply(line.id()).equals(List.of(new NodeAllocation(line.nodes(), line.procs())));
    }
}
