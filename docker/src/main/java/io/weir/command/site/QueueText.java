package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Prints a queue view the way {@code showq} does: three sections, each with a count, and a total; or the sections asked
 * for with more columns.
 */
final class QueueText {
    /** Widths that most sites get by with: the listing looks the same from one time to the next. */
    private static final int[] USUAL = {18, 9, 9, 5, 11};

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
        Map<Section, Listing> tables = new EnumMap<>(Section.class);
        for (Section section : EnumSet.of(Section.ACTIVE, Section.ELIGIBLE, Section.BLOCKED)) {
            tables.put(section, plain(section));
        }
        // The sections stand below one another: their columns do, too. The last one is free.
        List<int[]> widths = tables.values().stream()
                .map(table -> Arrays.copyOf(table.widths(), table.widths().length - 1))
                .toList();
        tables.forEach((section, table) -> {
            widths.forEach(table::atLeast);
            head(section);
            table.print(out);
            foot(section);
        });
        int total = queue.path("active").size()
                + queue.path("eligible").size()
                + queue.path("blocked").size();
        out.printf("%nTotal jobs:  %d%n", total);
        StandingText.print(queue, out);
    }

    /** Prints the sections asked for, with more columns. */
    void print(Set<Section> sections) {
        out.printf("%n%s at %s%n", Shown.text(queue, "cluster"), Shown.time(queue, "now"));
        for (Section section : sections) {
            head(section);
            switch (section) {
                case ACTIVE -> active();
                case ELIGIBLE -> eligible();
                case BLOCKED -> plain(Section.BLOCKED).print(out);
                case COMPLETED -> completed();
            }
            foot(section);
        }
        StandingText.print(queue, out);
    }

    private Listing plain(Section section) {
        boolean active = section == Section.ACTIVE;
        Listing table = new Listing(
                        "JOBID",
                        ">USERNAME",
                        ">STATE",
                        ">PROCS",
                        active ? ">REMAINING" : ">WCLIMIT",
                        active ? "STARTTIME" : "QUEUETIME")
                .atLeast(USUAL);
        for (JsonNode job : jobs(section)) {
            table.row(
                    Shown.text(job, "jobId") + mark(job),
                    Shown.text(job, "user"),
                    held(job),
                    Shown.text(job, "procs"),
                    Shown.span(job, active ? "remainingSeconds" : "walltimeSeconds"),
                    Shown.time(job, active ? "startTime" : "submitTime")
                            + (section == Section.BLOCKED ? reason(job) : "")
                            + more(job));
        }
        return table;
    }

    private void active() {
        Listing table = new Listing(
                "JOBID",
                "S",
                "PAR",
                ">XFACTOR",
                "QOS",
                "USERNAME",
                "GROUP",
                "MHOST",
                ">PROCS",
                ">REMAINING",
                "STARTTIME");
        for (JsonNode job : jobs(Section.ACTIVE)) {
            table.row(
                    Shown.text(job, "jobId") + mark(job),
                    Shown.word(job, "state"),
                    Shown.text(job, "partition"),
                    factor(job),
                    Shown.text(job, "qos"),
                    Shown.text(job, "user"),
                    Shown.text(job, "group"),
                    Shown.text(job, "firstNode"),
                    Shown.text(job, "procs"),
                    Shown.span(job, "remainingSeconds"),
                    Shown.time(job, "startTime") + more(job));
        }
        table.print(out);
    }

    private void eligible() {
        Listing table = new Listing(
                "JOBID",
                ">PRIORITY",
                ">XFACTOR",
                "QOS",
                "USERNAME",
                "GROUP",
                ">PROCS",
                ">WCLIMIT",
                "CLASS",
                "QUEUETIME");
        for (JsonNode job : jobs(Section.ELIGIBLE)) {
            table.row(
                    Shown.text(job, "jobId") + (job.path("reserved").asBoolean() ? "*" : ""),
                    Shown.has(job, "systemPriority")
                            ? Shown.text(job, "systemPriority") + "*"
                            : Shown.text(job, "priority"),
                    factor(job),
                    Shown.text(job, "qos"),
                    Shown.text(job, "user"),
                    Shown.text(job, "group"),
                    Shown.text(job, "procs"),
                    Shown.span(job, "walltimeSeconds"),
                    Shown.text(job, "jobClass"),
                    Shown.time(job, Shown.has(job, "eligibleSince") ? "eligibleSince" : "submitTime") + more(job));
        }
        table.print(out);
    }

    private void completed() {
        Listing table = new Listing(
                "JOBID", "S", ">CCODE", "PAR", "QOS", "USERNAME", "GROUP", "MHOST", ">PROCS", ">WALLTIME", "ENDTIME");
        for (JsonNode job : jobs(Section.COMPLETED)) {
            String ran = Shown.instant(job, "startTime").isPresent()
                            && Shown.instant(job, "endTime").isPresent()
                    ? Shown.span(Duration.between(
                            Shown.instant(job, "startTime").get(),
                            Shown.instant(job, "endTime").get()))
                    : Shown.NOTHING;
            table.row(
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
        table.print(out);
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

    /**
     * An underscore for a job that uses more than it asked for; else a plus for one that started ahead of one of higher
     * priority, a minus for one that may be preempted, an asterisk for both.
     */
    private static String mark(JsonNode job) {
        if (job.path("overLimit").asBoolean()) {
            return "_";
        }
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
            return "  deferred until " + Shown.time(job, "notBefore")
                    + (Shown.has(job, "lastMessage") ? ": " + Shown.text(job, "lastMessage") : "");
        }
        if (Shown.has(job, "reason")) {
            return "  " + Shown.readable(Shown.text(job, "reason"));
        }
        boolean elsewhere =
                Shown.text(job, "state").equals("HOLD") && job.path("holds").isEmpty();
        return elsewhere ? "  held by the resource manager" : "";
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
