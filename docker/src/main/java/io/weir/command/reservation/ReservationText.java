package io.weir.command.reservation;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.format.FieldText;
import io.weir.command.format.NumberText;
import io.weir.command.format.TextTable;
import io.weir.command.format.TimeText;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Prints a reservation in full, the way {@code mdiag -r} does. */
public final class ReservationText {
    private ReservationText() {}

    /** Prints each in a line, with everything else that is known of it below. */
    public static void print(Iterable<JsonNode> reservations, PrintWriter out) {
        TextTable table = new TextTable(
                        "RsvID", "Type", "Par", ">StartTime", ">EndTime", ">Duration", ">Node", ">Task", ">Proc")
                .underlined();
        for (JsonNode reservation : reservations) {
            add(reservation, table);
        }
        table.print(out);
    }

    private static void add(JsonNode reservation, TextTable out) {
        Instant now = FieldText.instant(reservation, "now").orElse(Instant.EPOCH);
        long tasks = reservation.path("placements").findValues("tasks").stream()
                .mapToLong(JsonNode::asLong)
                .sum();
        out.row(
                FieldText.text(reservation, "reservationId"),
                FieldText.word(reservation, "type"),
                FieldText.has(reservation, "partition") ? FieldText.text(reservation, "partition") : "ALL",
                TimeText.relative(FieldText.instant(reservation, "start").orElse(now), now),
                TimeText.relative(FieldText.instant(reservation, "end").orElse(now), now),
                FieldText.span(reservation, "durationSeconds"),
                nodeCount(reservation),
                tasks > 0 ? Long.toString(tasks) : FieldText.text(reservation, "taskCount"),
                FieldText.text(reservation, "procs"));
        list(reservation, "Flags", "flags", out);
        list(reservation, "ACL", "acl", out);
        text(reservation, "Job", "jobId", out);
        if (FieldText.has(reservation, "deadline")) {
            out.below("    Deadline: " + FieldText.time(reservation, "deadline"));
        }
        list(reservation, "CL", "credentials", out);
        text(reservation, "SubType", "subtype", out);
        text(reservation, "Owner", "owner", out);
        text(reservation, "Group", "group", out);
        text(reservation, "Label", "label", out);
        text(reservation, "Profile", "profile", out);
        text(reservation, "Standing", "standing", out);
        if (FieldText.has(reservation, "standing")) {
            out.below("    SRAttributes: TaskCount: " + FieldText.text(reservation, "taskCount") + "  StartTime: "
                    + FieldText.time(reservation, "start") + "  EndTime: " + FieldText.time(reservation, "end"));
        }
        JsonNode task = reservation.path("task");
        if (task.isObject()) {
            out.below("    Task Resources: PROCS: " + FieldText.text(task, "procsPerTask")
                    + (task.path("memoryMb").asLong() > 0 ? "  MEM: " + task.path("memoryMb") + "M" : ""));
        } else if (!FieldText.has(reservation, "jobId")) {
            out.below("    Task Resources: PROCS: [ALL]");
        }
        list(reservation, "Features", "features", out);
        text(reservation, "HostExp", "hostExpression", out);
        list(reservation, "Hosts", "hosts", out);
        if (!nodes(reservation).isEmpty()) {
            out.below("    Nodes: " + String.join(",", nodes(reservation)));
        }
        usage(reservation, out);
        list(reservation, "Accountable", "accountable", out);
        charged(reservation, out);
        list(reservation, "Variables", "variables", out);
        text(reservation, "Comment", "comment", out);
        for (JsonNode message : reservation.path("messages")) {
            out.below("    Message: " + message.asText());
        }
        for (JsonNode trigger : reservation.path("triggers")) {
            out.below("    Trigger: " + FieldText.text(trigger, "id") + "  " + FieldText.text(trigger, "event") + " "
                    + FieldText.text(trigger, "type") + "  State: " + FieldText.text(trigger, "state"));
        }
    }

    /** Returns how many nodes it names; a dash where processors are reserved and no nodes named yet. */
    static String nodeCount(JsonNode reservation) {
        long nodes = reservation.path("nodes").asLong();
        return nodes == 0 && reservation.path("procs").asLong() > 0 ? FieldText.NOTHING : Long.toString(nodes);
    }

    /** Says whether it is there to hold something and holds nothing. */
    public static boolean isWithoutNodes(JsonNode reservation) {
        return nodes(reservation).isEmpty()
                && !FieldText.has(reservation, "jobId")
                && reservation.path("procs").asLong() == 0;
    }

    /** Returns the nodes it names: what it holds, or where its tasks are to be. */
    static List<String> nodes(JsonNode reservation) {
        JsonNode held = reservation.path("allocation");
        return (held.isEmpty() ? reservation.path("placements") : held)
                .findValuesAsText("nodeId").stream().distinct().toList();
    }

    private static void usage(JsonNode reservation, TextTable out) {
        long reserved = reservation.path("reservedProcSeconds").asLong();
        if (reserved > 0) {
            long used = reservation.path("usedProcSeconds").asLong();
            out.below(String.format(
                    Locale.ROOT,
                    "    Active PH: %.2f/%.2f (%s)",
                    used / 3600.0,
                    reserved / 3600.0,
                    NumberText.percent(used, reserved)));
        }
    }

    /** What the ledger charged so far for time that nobody used; it goes on at the end of each FLUSHINTERVAL. */
    private static void charged(JsonNode reservation, TextTable out) {
        if (!FieldText.list(reservation, "accountable").equals(FieldText.NOTHING)) {
            out.below("    Charged so far: "
                    + BigDecimal.valueOf(reservation.path("chargedMillis").asLong(), 3)
                            .toPlainString());
        }
    }

    private static void text(JsonNode reservation, String label, String field, TextTable out) {
        if (FieldText.has(reservation, field)) {
            out.below("    " + label + ": " + FieldText.text(reservation, field));
        }
    }

    private static void list(JsonNode reservation, String label, String field, TextTable out) {
        String text = FieldText.list(reservation, field);
        if (!text.equals(FieldText.NOTHING)) {
            out.below("    " + label + ": " + text);
        }
    }
}
