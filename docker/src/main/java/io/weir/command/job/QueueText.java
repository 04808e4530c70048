package io.weir.command.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.format.FieldText;
import io.weir.command.format.NumberText;
import io.weir.command.format.TextTable;
import io.weir.command.format.TimeText;
import io.weir.command.scheduler.SchedulerNotices;
import io.weir.scheduler.query.view.ClusterViews;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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

    /** The sections of jobs that have not ended. */
    static final Set<Section> USUALLY =
            Collections.unmodifiableSet(EnumSet.of(Section.ACTIVE, Section.ELIGIBLE, Section.BLOCKED));

    /** What is printed of jobs only when more is to be shown. */
    private static final Set<String> MORE = Set.of("name", "constraint", "earliestStart", "expectedStart");

    /** Returns the fields of jobs that are printed, or decide about what is. */
    static List<String> fields(boolean verbose) {
        return ClusterViews.jobFields("queue").stream()
                .filter(field -> verbose || !MORE.contains(field))
                .toList();
    }

    /** Prints the three sections of jobs that have not ended. */
    void print() {
        out.printf("%n%s at %s%n", FieldText.text(queue, "cluster"), FieldText.time(queue, "now"));
        Map<Section, TextTable> tables = new EnumMap<>(Section.class);
        for (Section section : USUALLY) {
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
        ranked();
        SchedulerNotices.print(queue, out);
    }

    /** Prints the sections asked for, with more columns. */
    void print(Set<Section> sections) {
        out.printf("%n%s at %s%n", FieldText.text(queue, "cluster"), FieldText.time(queue, "now"));
        for (Section section : sections) {
            head(section);
            switch (section) {
                case ACTIVE -> active();
                case ELIGIBLE -> eligible();
                case BLOCKED -> plain(Section.BLOCKED).print(out);
                case COMPLETED -> completed();
            }
            foot(section);
            if (section == Section.ELIGIBLE) {
                ranked();
            }
        }
        SchedulerNotices.print(queue, out);
    }

    private TextTable plain(Section section) {
        boolean active = section == Section.ACTIVE;
        TextTable table = new TextTable(
                        "JOBID",
                        ">USERNAME",
                        ">STATE",
                        ">PROCS",
                        active ? ">REMAINING" : ">WCLIMIT",
                        active ? "STARTTIME" : "QUEUETIME")
                .atLeast(USUAL);
        for (JsonNode job : jobs(section)) {
            table.row(
                    FieldText.text(job, "jobId") + mark(job),
                    FieldText.text(job, "user"),
                    held(job),
                    FieldText.text(job, "procs"),
                    FieldText.span(job, active ? "remainingSeconds" : "walltimeSeconds"),
                    FieldText.time(job, active ? "startTime" : "submitTime")
                            + (section == Section.BLOCKED ? reason(job) : "")
                            + more(job));
        }
        return table;
    }

    private void active() {
        TextTable table = new TextTable(
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
                    FieldText.text(job, "jobId") + mark(job),
                    FieldText.word(job, "state"),
                    FieldText.text(job, "partition"),
                    factor(job),
                    FieldText.text(job, "qos"),
                    FieldText.text(job, "user"),
                    FieldText.text(job, "group"),
                    FieldText.text(job, "firstNode"),
                    FieldText.text(job, "procs"),
                    FieldText.span(job, "remainingSeconds"),
                    FieldText.time(job, "startTime") + more(job));
        }
        table.print(out);
    }

    private void eligible() {
        TextTable table = new TextTable(
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
                    FieldText.text(job, "jobId") + (job.path("reserved").asBoolean() ? "*" : ""),
                    FieldText.has(job, "systemPriority")
                            ? FieldText.text(job, "systemPriority") + "*"
                            : FieldText.text(job, "priority"),
                    factor(job),
                    FieldText.text(job, "qos"),
                    FieldText.text(job, "user"),
                    FieldText.text(job, "group"),
                    FieldText.text(job, "procs"),
                    FieldText.span(job, "walltimeSeconds"),
                    FieldText.text(job, "jobClass"),
                    FieldText.time(job, FieldText.has(job, "eligibleSince") ? "eligibleSince" : "submitTime")
                            + more(job));
        }
        table.print(out);
    }

    private void completed() {
        TextTable table = new TextTable(
                "JOBID", "S", ">CCODE", "PAR", "QOS", "USERNAME", "GROUP", "MHOST", ">PROCS", ">WALLTIME", "ENDTIME");
        for (JsonNode job : jobs(Section.COMPLETED)) {
            String ran = FieldText.instant(job, "startTime").isPresent()
                            && FieldText.instant(job, "endTime").isPresent()
                    ? TimeText.span(Duration.between(
                            FieldText.instant(job, "startTime").get(),
                            FieldText.instant(job, "endTime").get()))
                    : FieldText.NOTHING;
            table.row(
                    FieldText.text(job, "jobId"),
                    FieldText.word(job, "state"),
                    FieldText.text(job, "exitCode"),
                    FieldText.text(job, "partition"),
                    FieldText.text(job, "qos"),
                    FieldText.text(job, "user"),
                    FieldText.text(job, "group"),
                    FieldText.text(job, "firstNode"),
                    FieldText.text(job, "procs"),
                    ran,
                    FieldText.time(job, "endTime") + more(job));
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
                    NumberText.percent(
                            queue.path("procsInUse").asLong(),
                            queue.path("procs").asLong()),
                    queue.path("nodesInUse").asInt(),
                    queue.path("nodes").asInt());
        }
        out.println();
    }

    /** Says where the order of the queue is not known to its end. */
    private void ranked() {
        if (jobs(Section.ELIGIBLE).isEmpty() || !FieldText.has(queue, "ranked")) {
            return;
        }
        int ranked = queue.path("ranked").asInt();
        if (ranked == 0) {
            out.printf("%nThe scheduler does not tell the order of the queue at present; it is that of submission%n");
        } else {
            out.printf(
                    "%nOrder and priorities are those of the first %d waiting jobs; the others follow in the order of their"
                            + " submission%n",
                    ranked);
        }
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
        return FieldText.has(job, "xfactor")
                ? String.format(Locale.ROOT, "%.1f", job.path("xfactor").asDouble())
                : FieldText.NOTHING;
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
        return job.path("held").asBoolean() ? "Hold" : FieldText.word(job, "state");
    }

    private String reason(JsonNode job) {
        Instant now = FieldText.instant(queue, "now").orElse(Instant.EPOCH);
        String reason = FieldText.has(job, "reason") ? TimeText.readable(FieldText.text(job, "reason")) : "";
        if (FieldText.instant(job, "notBefore").filter(now::isBefore).isPresent()) {
            String said =
                    reason.isEmpty() && FieldText.has(job, "lastMessage") ? FieldText.text(job, "lastMessage") : reason;
            return "  deferred until " + FieldText.time(job, "notBefore") + (said.isEmpty() ? "" : ": " + said);
        }
        if (!reason.isEmpty()) {
            return "  " + reason;
        }
        boolean elsewhere =
                FieldText.text(job, "state").equals("HOLD") && job.path("holds").isEmpty();
        return elsewhere ? "  held by the resource manager" : "";
    }

    private String more(JsonNode job) {
        if (!verbose) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        if (FieldText.has(job, "name")) {
            text.append("  name=").append(FieldText.text(job, "name"));
        }
        if (FieldText.has(job, "account")) {
            text.append("  account=").append(FieldText.text(job, "account"));
        }
        if (FieldText.has(job, "constraint")) {
            text.append("  waits for: ").append(FieldText.text(job, "constraint"));
        }
        if (FieldText.has(job, "expectedStart")) {
            text.append("  expected ").append(FieldText.time(job, "expectedStart"));
        }
        if (FieldText.has(job, "earliestStart")) {
            text.append("  not before ").append(FieldText.time(job, "earliestStart"));
        }
        return text.toString();
    }
}
