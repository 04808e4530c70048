package io.weir.command.statistics;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.format.FieldText;
import io.weir.command.format.NumberText;
import io.weir.command.scheduler.SchedulerNotices;
import java.io.PrintWriter;
import java.util.Locale;

/** The scheduler in a few lines: what it did since the statistics were cleared, and what there is now. */
final class SchedulerSummary {
    private final PrintWriter out;

    SchedulerSummary(PrintWriter out) {
        this.out = out;
    }

    /**
     * Prints the summary.
     *
     * @param queue view of the queue
     * @param total statistics of all jobs
     */
    void print(String cluster, JsonNode queue, JsonNode total) {
        JsonNode scheduler = queue.path("scheduler");
        String halted = SchedulerNotices.state(scheduler);
        out.printf(
                "scheduler of %s, iteration %s, statistics since %s%n",
                cluster, FieldText.text(scheduler, "iteration"), FieldText.time(total, "since"));
        out.printf("State: %s%n%n", halted.isEmpty() ? "scheduling" : halted);
        int eligible = queue.path("counts").path("eligible").asInt();
        line(
                "Eligible/Idle Jobs",
                eligible + "/"
                        + (eligible + queue.path("counts").path("blocked").asInt()));
        line("Active Jobs", FieldText.text(total, "activeJobs"));
        line("Started Jobs", FieldText.text(total, "started"));
        line("Successful/Ended Jobs", FieldText.text(total, "succeeded") + "/" + FieldText.text(total, "ended"));
        line(
                "Avg/Max Queue Time",
                Figures.span(total, "averageQueueSeconds") + "/" + Figures.span(total, "longestQueueSeconds"));
        line(
                "Avg/Max XFactor",
                Figures.thousandths(total, "averageExpansionMillis") + "/"
                        + Figures.thousandths(total, "largestExpansionMillis"));
        line(
                "Dedicated/Total ProcHours",
                String.format(
                        Locale.ROOT,
                        "%s/%s (%s)",
                        Figures.hours(total, "procSeconds"),
                        Figures.hours(total, "upProcSeconds"),
                        NumberText.percent(
                                total.path("procSeconds").asLong(),
                                total.path("upProcSeconds").asLong())));
        line("Requested ProcHours", Figures.hours(total, "requestedProcSeconds"));
        line(
                "Active/Total Procs",
                String.format(
                        Locale.ROOT,
                        "%d/%d (%s)",
                        queue.path("procsInUse").asLong(),
                        queue.path("procs").asLong(),
                        NumberText.percent(
                                queue.path("procsInUse").asLong(),
                                queue.path("procs").asLong())));
        line(
                "Active/Total Nodes",
                queue.path("nodesInUse").asLong() + "/" + queue.path("nodes").asLong());
        line("Avg WallClock Accuracy", CredentialStatistics.accuracy(total));
    }

    private void line(String label, String value) {
        out.printf("%-32s%s%n", label + ":", value);
    }
}
