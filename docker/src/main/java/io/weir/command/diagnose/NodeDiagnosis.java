package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import io.weir.command.node.NodeHistoryText;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Nodes, a line each, with warnings and totals. Pairs are available:configured.
 *
 * @param id only this one; null for all
 * @param partition only those of this partition; null for any
 * @param account only those that run jobs of this account; null for any
 * @param verbose say everything of each
 */
record NodeDiagnosis(
        @Nullable String id,
        @Nullable String partition,
        @Nullable String account,
        boolean verbose) implements DiagnosisReport {
    private static final List<String> MORE =
            List.of("gres", "variables", "reason", "rack", "slot", "nodeType", "nodeSets", "comment");

    @Override
    public String what() {
        return "node";
    }

    @Override
    public JsonNode read(Views views) {
        return views.some(
                "nodes",
                node -> (id == null || id.equals(node.path("nodeId").asText()))
                        && (partition == null
                                || partition.equals(node.path("partition").asText()))
                        && (account == null
                                || node.path("jobs").findValuesAsText("account").contains(account)));
    }

    @Override
    public void print(JsonNode nodes, PrintWriter out) {
        out.println("compute node summary");
        TextTable table = new TextTable(
                "Name",
                "State",
                ">Procs",
                ">Memory",
                ">Disk",
                ">Swap",
                ">Speed",
                "Opsys",
                "Arch",
                "Partition",
                ">Load",
                "Classes",
                "Network",
                "Features");
        int active = 0;
        int idle = 0;
        int down = 0;
        int other = 0;
        long free = 0;
        long procs = 0;
        for (JsonNode node : nodes) {
            line(node, table);
            if (verbose) {
                more(node, table);
            }
            node.path("warnings").forEach(warning -> table.below("  WARNING:  " + warning.asText()));
            String state = node.path("state").asText();
            if (state.equals("DOWN") || state.equals("DRAINED") || state.equals("REMOVED")) {
                down++;
            } else if (!node.path("jobs").isEmpty()) {
                active++;
            } else if (state.equals("IDLE") && !node.path("failing").asBoolean()) {
                idle++;
            } else {
                other++;
            }
            free += free(node);
            procs += node.path("procs").asLong();
        }
        table.row("-----", "---", free + ":" + procs, "", "", "", "", "", "", "", "", "", "", "");
        table.print(out);
        out.printf(
                "%nTotal Nodes: %d  (Active: %d  Idle: %d  Down: %d  Other: %d)%n",
                nodes.size(), active, idle, down, other);
    }

    private static void line(JsonNode node, TextTable into) {
        into.row(
                FieldText.text(node, "nodeId"),
                FieldText.word(node, "shownState"),
                free(node) + ":" + node.path("procs").asText(),
                pair(node, "MEM", "memoryMb"),
                pair(node, "DISK", "diskMb"),
                pair(node, "SWAP", "swapMb"),
                String.format(Locale.ROOT, "%.2f", node.path("speed").asDouble(1)),
                FieldText.text(node, "os"),
                FieldText.text(node, "arch"),
                FieldText.text(node, "partition"),
                FieldText.load(node),
                FieldText.list(node, "classes"),
                FieldText.list(node, "networks"),
                FieldText.list(node, "features"));
    }

    /** What a job could have of the processors now: nothing of a node that takes none. */
    private static long free(JsonNode node) {
        return node.path("plannable").asBoolean(true)
                ? node.path("resources")
                        .path("PROC")
                        .path("available")
                        .asLong(node.path("freeProcs").asLong())
                : 0;
    }

    private static String pair(JsonNode node, String resource, String configured) {
        long whole = node.path(configured).asLong();
        return node.path("resources").path(resource).path("available").asLong(whole) + ":" + whole;
    }

    private static void more(JsonNode node, TextTable into) {
        if (FieldText.has(node, "category")) {
            into.below("    category: " + NodeHistoryText.category(node));
        }
        for (String field : MORE) {
            JsonNode value = node.path(field);
            String text = value.isContainerNode() ? FieldText.list(node, field) : FieldText.text(node, field);
            if (!text.equals(FieldText.NOTHING)) {
                into.below("    " + field + ": " + text);
            }
        }
        NodeHistoryText.messages(node).forEach(line -> into.below("    " + line));
        NodeHistoryText.metrics(node).forEach(line -> into.below("    " + line));
        Instant now = FieldText.instant(node, "now").orElse(Instant.EPOCH);
        NodeHistoryText.events(node, now).forEach(line -> into.below("    " + line));
        for (JsonNode job : node.path("jobs")) {
            into.below("    job " + FieldText.text(job, "jobId") + ": " + FieldText.text(job, "procs") + " procs");
        }
        for (JsonNode reservation : node.path("reservations")) {
            into.below("    reservation " + FieldText.text(reservation, "reservationId") + ": "
                    + FieldText.text(reservation, "procs") + " procs");
        }
    }
}
