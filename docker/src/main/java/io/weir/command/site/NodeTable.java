package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.List;

/** Prints nodes the way {@code mdiag -n} does: a line each, warnings, totals. Pairs are available:configured. */
final class NodeTable {
    private static final String COLUMNS = "%-18s %-9s %9s %15s %15s %15s %6s %-8s %-8s %-10s %6s %-18s %-10s %s%n";

    private NodeTable() {}

    static void print(List<JsonNode> nodes, boolean verbose, PrintWriter out) {
        out.printf("compute node summary%n");
        out.printf(
                COLUMNS,
                "Name",
                "State",
                "Procs",
                "Memory",
                "Disk",
                "Swap",
                "Speed",
                "Opsys",
                "Arch",
                "Partition",
                "Load",
                "Classes",
                "Network",
                "Features");
        int active = 0;
        int idle = 0;
        int down = 0;
        long free = 0;
        long procs = 0;
        for (JsonNode node : nodes) {
            line(node, out);
            if (verbose) {
                more(node, out);
            }
            warnings(node, out);
            String state = node.path("state").asText();
            if (state.equals("DOWN") || state.equals("DRAINED") || state.equals("REMOVED")) {
                down++;
            } else if (node.path("jobs").isEmpty()) {
                idle++;
            } else {
                active++;
            }
            free += node.path("freeProcs").asLong();
            procs += node.path("procs").asLong();
        }
        out.printf("%-18s %-9s %9s%n", "-----", "---", free + ":" + procs);
        out.printf("%nTotal Nodes: %d  (Active: %d  Idle: %d  Down: %d)%n", nodes.size(), active, idle, down);
    }

    private static void line(JsonNode node, PrintWriter out) {
        out.printf(
                COLUMNS,
                Shown.text(node, "nodeId"),
                Shown.word(node, "shownState"),
                node.path("freeProcs").asText() + ":" + node.path("procs").asText(),
                pair(node, "availableMemoryMb", "memoryMb"),
                pair(node, "availableDiskMb", "diskMb"),
                pair(node, "availableSwapMb", "swapMb"),
                Shown.has(node, "speed") ? Shown.text(node, "speed") : "1.00",
                Shown.text(node, "os"),
                Shown.text(node, "arch"),
                Shown.text(node, "partition"),
                Shown.text(node, "load"),
                Shown.list(node, "classes"),
                Shown.list(node, "networks"),
                Shown.list(node, "features"));
    }

    private static String pair(JsonNode node, String available, String configured) {
        long whole = node.path(configured).asLong();
        long left = Shown.has(node, available) ? node.path(available).asLong() : whole;
        return left + ":" + whole;
    }

    private static void more(JsonNode node, PrintWriter out) {
        for (String field : List.of("category", "gres", "metrics", "variables", "messages", "reason", "rack", "slot")) {
            JsonNode value = node.path(field);
            String text = value.isContainerNode() ? Shown.list(node, field) : Shown.text(node, field);
            if (!text.equals(Shown.NOTHING)) {
                out.printf("    %s: %s%n", field, text);
            }
        }
        for (JsonNode job : node.path("jobs")) {
            out.printf("    job %s: %s procs%n", Shown.text(job, "jobId"), Shown.text(job, "procs"));
        }
        for (JsonNode reservation : node.path("reservations")) {
            out.printf(
                    "    reservation %s: %s procs%n",
                    Shown.text(reservation, "reservationId"), Shown.text(reservation, "procs"));
        }
    }

    private static void warnings(JsonNode node, PrintWriter out) {
        String state = node.path("state").asText();
        if (state.equals("DOWN") && !node.path("jobs").isEmpty()) {
            out.printf(
                    "  WARNING:  node is down but has %d jobs%n",
                    node.path("jobs").size());
        }
        if (state.equals("IDLE")
                && node.path("jobs").isEmpty()
                && node.path("load").asDouble() >= 1) {
            out.printf("  WARNING:  node is idle but has a load of %s%n", Shown.text(node, "load"));
        }
        if (node.path("dedicatedProcs").asLong() > node.path("procs").asLong()) {
            out.printf("  WARNING:  node has more dedicated than configured processors%n");
        }
    }
}
