package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.List;
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
        boolean verbose) implements Diagnosis {
    private static final List<String> MORE = List.of(
            "category", "gres", "metrics", "variables", "messages", "reason", "rack", "slot", "nodeType", "comment");

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
        Listing table = new Listing(
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
        long free = 0;
        long procs = 0;
        for (JsonNode node : nodes) {
            line(node, table);
            if (verbose) {
                more(node, table);
            }
            warnings(node, table);
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
        table.row("-----", "---", free + ":" + procs, "", "", "", "", "", "", "", "", "", "", "");
        table.print(out);
        out.printf("%nTotal Nodes: %d  (Active: %d  Idle: %d  Down: %d)%n", nodes.size(), active, idle, down);
    }

    private static void line(JsonNode node, Listing into) {
        into.row(
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

    private static void more(JsonNode node, Listing into) {
        for (String field : MORE) {
            JsonNode value = node.path(field);
            String text = value.isContainerNode() ? Shown.list(node, field) : Shown.text(node, field);
            if (!text.equals(Shown.NOTHING)) {
                into.below("    " + field + ": " + text);
            }
        }
        for (JsonNode job : node.path("jobs")) {
            into.below("    job " + Shown.text(job, "jobId") + ": " + Shown.text(job, "procs") + " procs");
        }
        for (JsonNode reservation : node.path("reservations")) {
            into.below("    reservation " + Shown.text(reservation, "reservationId") + ": "
                    + Shown.text(reservation, "procs") + " procs");
        }
    }

    private static void warnings(JsonNode node, Listing into) {
        String state = node.path("state").asText();
        int jobs = node.path("jobs").size();
        if (state.equals("DOWN") && jobs > 0) {
            into.below("  WARNING:  node is down but has " + jobs + " jobs");
        }
        if (state.equals("IDLE") && jobs == 0 && node.path("load").asDouble() >= 1) {
            into.below("  WARNING:  node is idle but has a load of " + Shown.text(node, "load"));
        }
        if (node.path("dedicatedProcs").asLong() > node.path("procs").asLong()) {
            into.below("  WARNING:  node has more dedicated than configured processors");
        }
    }
}
