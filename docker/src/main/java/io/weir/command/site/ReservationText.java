package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;

/** Prints a reservation in full, the way {@code mdiag -r} does. */
final class ReservationText {
    static final String COLUMNS = "%-22s %-12s %-8s %12s %12s %12s %5s %5s %5s%n";

    private ReservationText() {}

    static void heading(PrintWriter out) {
        out.printf(COLUMNS, "RsvID", "Type", "Par", "StartTime", "EndTime", "Duration", "Node", "Task", "Proc");
        out.printf(COLUMNS, "-----", "----", "---", "---------", "-------", "--------", "----", "----", "----");
    }

    static void print(JsonNode reservation, PrintWriter out) {
        Instant now = Shown.instant(reservation, "now").orElse(Instant.EPOCH);
        long tasks = reservation.path("placements").findValues("tasks").stream()
                .mapToLong(JsonNode::asLong)
                .sum();
        out.printf(
                COLUMNS,
                Shown.text(reservation, "reservationId"),
                Shown.word(reservation, "type"),
                Shown.has(reservation, "partition") ? Shown.text(reservation, "partition") : "ALL",
                Shown.relative(Shown.instant(reservation, "start").orElse(now), now),
                Shown.relative(Shown.instant(reservation, "end").orElse(now), now),
                Shown.span(reservation, "durationSeconds"),
                Shown.text(reservation, "nodes"),
                tasks > 0 ? Long.toString(tasks) : Shown.text(reservation, "taskCount"),
                Shown.text(reservation, "procs"));
        list(reservation, "Flags", "flags", out);
        list(reservation, "ACL", "acl", out);
        text(reservation, "Job", "jobId", out);
        list(reservation, "CL", "credentials", out);
        text(reservation, "SubType", "subtype", out);
        text(reservation, "Owner", "owner", out);
        text(reservation, "Group", "group", out);
        text(reservation, "Label", "label", out);
        text(reservation, "Profile", "profile", out);
        text(reservation, "Standing", "standing", out);
        if (Shown.has(reservation, "standing")) {
            out.printf(
                    "    SRAttributes: TaskCount: %s  StartTime: %s  EndTime: %s%n",
                    Shown.text(reservation, "taskCount"),
                    Shown.time(reservation, "start"),
                    Shown.time(reservation, "end"));
        }
        JsonNode task = reservation.path("task");
        if (task.isObject()) {
            out.printf("    Task Resources: PROCS: %s", Shown.text(task, "procsPerTask"));
            out.printf("%s%n", task.path("memoryMb").asLong() > 0 ? "  MEM: " + task.path("memoryMb") + "M" : "");
        } else if (!reservation.path("type").asText().equals("JOB")) {
            out.println("    Task Resources: PROCS: [ALL]");
        }
        list(reservation, "Features", "features", out);
        text(reservation, "HostExp", "hostExpression", out);
        list(reservation, "Hosts", "hosts", out);
        if (!reservation.path("allocation").isEmpty()) {
            out.printf(
                    "    Nodes: %s%n",
                    String.join(",", reservation.path("allocation").findValuesAsText("nodeId")));
        }
        usage(reservation, out);
        list(reservation, "Accountable", "accountable", out);
        list(reservation, "Variables", "variables", out);
        text(reservation, "Comment", "comment", out);
    }

    private static void usage(JsonNode reservation, PrintWriter out) {
        long reserved = reservation.path("reservedProcSeconds").asLong();
        if (reserved > 0) {
            long used = reservation.path("usedProcSeconds").asLong();
            out.printf(
                    Locale.ROOT,
                    "    Active PH: %.2f/%.2f (%s)%n",
                    used / 3600.0,
                    reserved / 3600.0,
                    Shown.percent(used, reserved));
        }
    }

    private static void text(JsonNode reservation, String label, String field, PrintWriter out) {
        if (Shown.has(reservation, field)) {
            out.printf("    %s: %s%n", label, Shown.text(reservation, field));
        }
    }

    private static void list(JsonNode reservation, String label, String field, PrintWriter out) {
        String text = Shown.list(reservation, field);
        if (!text.equals(Shown.NOTHING)) {
            out.printf("    %s: %s%n", label, text);
        }
    }
}
