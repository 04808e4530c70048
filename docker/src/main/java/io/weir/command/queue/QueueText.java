package io.weir.command.queue;

import io.weir.schemas.JobStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints a {@link QueueListing} the way {@code showq} does: three sections, each with a count, and a total. */
public final class QueueText {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final double PERCENT = 100.0;

    private final PrintWriter out;

    /** Prints to {@code out}. */
    public QueueText(PrintWriter out) {
        this.out = out;
    }

    /** Prints the listing. */
    public void print(QueueListing queue) {
        out.printf("%n%s at %s%n", queue.cluster(), time(queue.now()));
        out.printf("%nactive jobs------------------------%n");
        row("JOBID", "USERNAME", "STATE", "PROCS", "REMAINING", "STARTTIME");
        for (JobStatus job : queue.active()) {
            row(job, span(queue.remaining(job)), time(job.getStartTime()));
        }
        out.printf(
                Locale.ROOT,
                "%n%-5d active jobs   %d of %d processors in use (%.2f%%), %d of %d nodes%n",
                queue.active().size(),
                queue.procsInUse(),
                queue.procs(),
                queue.procs() == 0 ? 0 : PERCENT * queue.procsInUse() / queue.procs(),
                queue.nodesInUse(),
                queue.nodes());

        out.printf("%neligible jobs----------------------%n");
        row("JOBID", "USERNAME", "STATE", "PROCS", "WCLIMIT", "QUEUETIME");
        for (JobStatus job : queue.eligible()) {
            row(job, span(Duration.ofSeconds(job.getWalltimeSeconds())), time(job.getSubmitTime()));
        }
        out.printf("%n%-5d eligible jobs%n", queue.eligible().size());

        out.printf("%nblocked jobs-----------------------%n");
        row("JOBID", "USERNAME", "STATE", "PROCS", "WCLIMIT", "QUEUETIME");
        for (JobStatus job : queue.blocked()) {
            String limit = span(Duration.ofSeconds(job.getWalltimeSeconds()));
            row(job, limit, time(job.getSubmitTime()) + reason(job));
        }
        out.printf("%n%-5d blocked jobs%n", queue.blocked().size());

        int total = queue.active().size()
                + queue.eligible().size()
                + queue.blocked().size();
        out.printf("%nTotal jobs:  %d%n", total);
    }

    /** Formats a span as {@code [days:]hours:minutes:seconds}. */
    static String span(Duration span) {
        Duration size = span.abs();
        String clock = String.format(
                Locale.ROOT, "%02d:%02d:%02d", size.toHoursPart(), size.toMinutesPart(), size.toSecondsPart());
        return (span.isNegative() ? "-" : "") + (size.toDays() > 0 ? size.toDays() + ":" : "") + clock;
    }

    private void row(JobStatus job, String span, String time) {
        String user = job.getUser() == null ? "-" : job.getUser();
        row(job.getJobId(), user, state(job), Integer.toString(QueueListing.procs(job)), span, time);
    }

    private void row(String id, String user, String state, String procs, String span, String time) {
        out.printf("%-18s %10s %10s %6s %12s  %s%n", id, user, state, procs, span, time);
    }

    private static String state(JobStatus job) {
        String state = job.getState().name();
        return state.charAt(0) + state.substring(1).toLowerCase(Locale.ROOT);
    }

    private static String reason(JobStatus job) {
        if (job.getNotBefore() != null) {
            return "  not before " + time(job.getNotBefore());
        }
        return job.getReason() == null ? "" : "  " + job.getReason();
    }

    private static String time(@Nullable Instant instant) {
        return instant == null ? "-" : TIME.format(instant);
    }
}
