package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Prints a queue view the way {@code showq} does: three sections, each with a count, and a total; or one section with
 * more columns.
 */
final class QueueText {
    private static final String PLAIN = "%-18s %10s %10s %6s %12s  %s%n";
    private static final String ACTIVE = "%-18s %-10s %-10s %7s %-9s %-9s %-10s %6s %12s  %s%n";
    private static final String ELIGIBLE = "%-18s %10s %7s %-9s %-9s %-9s %6s %12s %-9s  %s%n";
    private static final String COMPLETED = "%-18s %-10s %5s %-10s %-9s %-9s %-9s %-10s %6s %12s  %s%n";

    private final PrintWriter out;
    private final JsonNode queue;
    private final boolean verbose;

    QueueText(PrintWriter out, JsonNode queue, boolean verbose) {
        this.out = out;
        this.queue = queue;
        this.verbose = verbose;
    }

    /** What of the queue is printed. */
    enum Section {
        ACTIVE,
        ELIGIBLE,
        BLOCKED,
        COMPLETED
    }

    /** Prints the three sections of jobs that have not ended. */
    void print() {
        out.printf("%n%s at %s%n", Shown.text(queue, "cluster"), Shown.time(queue, "now"));
        for (Section section : EnumSet.of(Section.ACTIVE, Section.ELIGIBLE, Section.BLOCKED)) {
            head(section);
            out.printf(
                    PLAIN,
                    "JOBID",
                    "USERNAME",
                    "STATE",
                    "PROCS",
                    section == Section.ACTIVE ? "REMAINING" : "WCLIMIT",
                    section == Section.ACTIVE ? "STARTTIME" : "QUEUETIME");
            for (JsonNode job : jobs(section)) {
                boolean active = section == Section.ACTIVE;
                out.printf(
                        PLAIN,
                        Shown.text(job, "jobId") + mark(job),
                        Shown.text(job, "user"),
                        held(job),
                        Shown.text(job, "procs"),
                        Shown.span(job, active ? "remainingSeconds" : "walltimeSeconds"),
                        Shown.time(job, active ? "startTime" : "submitTime")
                                + (section == Section.BLOCKED ? reason(job) : "")
                                + more(job));
            }
            foot(section);
        }
        int total = queue.path("active").size()
                + queue.path("eligible").size()
                + queue.path("blocked").size();
        out.printf("%nTotal jobs:  %d%n", total);
    }

    /** Prints the sections asked for, with more columns. */
    void print(Set<Section> sections) {
        out.printf("%n%s at %s%n", Shown.text(queue, "cluster"), Shown.time(queue, "now"));
        for (Section section : sections) {
            head(section);
            switch (section) {
                case ACTIVE -> active();
                case ELIGIBLE -> eligible();
                case BLOCKED -> blocked();
                case COMPLETED -> completed();
            }
            foot(section);
        }
    }

    private void active() {
        out.printf(
                ACTIVE, "JOBID", "S", "PAR", "XFACTOR", "QOS", "USERNAME", "MHOST", "PROCS", "REMAINING", "STARTTIME");
        for (JsonNode job : jobs(Section.ACTIVE)) {
            out.printf(
                    ACTIVE,
                    Shown.text(job, "jobId") + mark(job),
                    Shown.word(job, "state"),
                    Shown.text(job, "partition"),
                    factor(job),
                    Shown.text(job, "qos"),
                    Shown.text(job, "user"),
                    Shown.text(job, "firstNode"),
                    Shown.text(job, "procs"),
                    Shown.span(job, "remainingSeconds"),
                    Shown.time(job, "startTime") + more(job));
        }
    }

    private void eligible() {
        out.printf(
                ELIGIBLE,
                "JOBID",
                "PRIORITY",
                "XFACTOR",
                "QOS",
                "USERNAME",
                "GROUP",
                "PROCS",
                "WCLIMIT",
                "CLASS",
                "QUEUETIME");
        for (JsonNode job : jobs(Section.ELIGIBLE)) {
            out.printf(
                    ELIGIBLE,
                    Shown.text(job, "jobId") + (job.path("reserved").asBoolean() ? "*" : ""),
                    Shown.text(job, "priority"),
                    factor(job),
                    Shown.text(job, "qos"),
                    Shown.text(job, "user"),
                    Shown.text(job, "group"),
                    Shown.text(job, "procs"),
                    Shown.span(job, "walltimeSeconds"),
                    Shown.text(job, "jobClass"),
                    Shown.time(job, Shown.has(job, "eligibleSince") ? "eligibleSince" : "submitTime") + more(job));
        }
    }

    private void blocked() {
        out.printf(PLAIN, "JOBID", "USERNAME", "STATE", "PROCS", "WCLIMIT", "QUEUETIME");
        for (JsonNode job : jobs(Section.BLOCKED)) {
            out.printf(
                    PLAIN,
                    Shown.text(job, "jobId"),
                    Shown.text(job, "user"),
                    held(job),
                    Shown.text(job, "procs"),
                    Shown.span(job, "walltimeSeconds"),
                    Shown.time(job, "submitTime") + reason(job) + more(job));
        }
    }

    private void completed() {
        out.printf(
                COMPLETED,
                "JOBID",
                "S",
                "CCODE",
                "PAR",
                "QOS",
                "USERNAME",
                "GROUP",
                "MHOST",
                "PROCS",
                "WALLTIME",
                "ENDTIME");
        for (JsonNode job : jobs(Section.COMPLETED)) {
            String ran = Shown.instant(job, "startTime").isPresent()
                            && Shown.instant(job, "endTime").isPresent()
                    ? Shown.span(Duration.between(
                            Shown.instant(job, "startTime").get(),
                            Shown.instant(job, "endTime").get()))
                    : Shown.NOTHING;
            out.printf(
                    COMPLETED,
                    Shown.text(job, "jobId"),
                    Shown.word(job, "state"),
                    Shown.text(job, "exitCode"),
                    Shown.text(job, "partition"),
                    Shown.text(job, "qos"),
                    Shown.text(job, "user"),
                    Shown.text(job, "group"),
                    Shown.text(job, "firstNode"),
                    Shown.text(job, "procs"),
                    ran,
                    Shown.time(job, "endTime") + more(job));
        }
    }

    private void head(Section section) {
        out.printf(
                "%n%s%n",
                switch (section) {
                    case ACTIVE -> "active jobs------------------------";
                    case ELIGIBLE -> "eligible jobs----------------------";
                    case BLOCKED -> "blocked jobs-----------------------";
                    case COMPLETED -> "completed jobs---------------------";
                });
    }

    private void foot(Section section) {
        String name = section.name().toLowerCase(Locale.ROOT);
        out.printf("%n%-5d %s jobs", jobs(section).size(), name);
        if (section == Section.ACTIVE) {
            out.printf(
                    "   %d of %d processors in use (%s), %d of %d nodes",
                    queue.path("procsInUse").asInt(),
                    queue.path("procs").asInt(),
                    Shown.percent(
                            queue.path("procsInUse").asLong(),
                            queue.path("procs").asLong()),
                    queue.path("nodesInUse").asInt(),
                    queue.path("nodes").asInt());
        }
        out.println();
    }

    private List<JsonNode> jobs(Section section) {
        List<JsonNode> jobs = new ArrayList<>();
        queue.path(section.name().toLowerCase(Locale.ROOT)).forEach(jobs::add);
        return jobs;
    }

    /** A plus for a job that started ahead of one of higher priority, an asterisk when it may be preempted, too. */
    private static String mark(JsonNode job) {
        boolean preemptible = job.path("preemptible").asBoolean();
        if (job.path("backfilled").asBoolean()) {
            return preemptible ? "*" : "+";
        }
        return preemptible ? "-" : "";
    }

    private static String factor(JsonNode job) {
        return Shown.has(job, "xfactor")
                ? String.format(Locale.ROOT, "%.1f", job.path("xfactor").asDouble())
                : Shown.NOTHING;
    }

    /** Returns a hold by its kind, such as UserHold or User+SystemHold; else the state. */
    private static String held(JsonNode job) {
        StringBuilder kinds = new StringBuilder();
        for (JsonNode hold : job.path("holds")) {
            String kind = hold.asText();
            kinds.append(kinds.isEmpty() ? "" : "+")
                    .append(kind.charAt(0))
                    .append(kind.substring(1).toLowerCase(Locale.ROOT));
        }
        if (!kinds.isEmpty()) {
            return kinds + "Hold";
        }
        return job.path("held").asBoolean() ? "Hold" : Shown.word(job, "state");
    }

    private String reason(JsonNode job) {
        Instant now = Shown.instant(queue, "now").orElse(Instant.EPOCH);
        if (Shown.instant(job, "notBefore").filter(now::isBefore).isPresent()) {
            return "  not before " + Shown.time(job, "notBefore");
        }
        return Shown.has(job, "reason") ? "  " + Shown.text(job, "reason") : "";
    }

    private String more(JsonNode job) {
        if (!verbose) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        if (Shown.has(job, "name")) {
            text.append("  name=").append(Shown.text(job, "name"));
        }
        if (Shown.has(job, "account")) {
            text.append("  account=").append(Shown.text(job, "account"));
        }
        if (Shown.has(job, "constraint")) {
            text.append("  waits for: ").append(Shown.text(job, "constraint"));
        }
        if (Shown.has(job, "expectedStart")) {
            text.append("  expected ").append(Shown.time(job, "expectedStart"));
        }
        return text.toString();
    }
}
