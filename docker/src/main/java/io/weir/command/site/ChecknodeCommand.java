package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir checknode}: one node. */
@Command(name = "checknode", description = "Shows one node: state, resources, what is known of it, and who has it.")
public final class ChecknodeCommand extends SiteCommand {
    @Parameters(paramLabel = "NODE", description = "Node name.")
    private String id = "";

    @Option(names = "-v", description = "Show variables and metrics that are empty, too.")
    private boolean verbose;

    @Override
    int run(Site site) throws IOException {
        String cluster = options().cluster(site);
        JsonNode node = one(site, cluster, "nodes", id, "node");
        if (options().json()) {
            print(node);
        } else {
            text(node);
        }
        return ExitCode.FINE;
    }

    private void text(JsonNode node) {
        PrintWriter out = out();
        Instant now = Shown.instant(node, "now").orElse(Instant.EPOCH);
        out.printf("node %s%n%n", Shown.text(node, "nodeId"));
        out.printf(
                "State:      %s  (in current state for %s)%s%n",
                Shown.word(node, "shownState"),
                Shown.span(node, "stateSeconds"),
                node.path("failing").asBoolean() ? "  FAILING" : "");
        line("Reason", Shown.text(node, "reason"));
        out.printf(
                "Configured Resources: PROCS: %s%s%s%s%s%n",
                Shown.text(node, "procs"),
                amount(node, "memoryMb", "MEM"),
                amount(node, "swapMb", "SWAP"),
                amount(node, "diskMb", "DISK"),
                gres(node));
        out.printf(
                "Available  Resources: PROCS: %s%s%s%s%n",
                Shown.has(node, "availableProcs") ? Shown.text(node, "availableProcs") : Shown.text(node, "freeProcs"),
                amount(node, "availableMemoryMb", "MEM"),
                amount(node, "availableSwapMb", "SWAP"),
                amount(node, "availableDiskMb", "DISK"));
        out.printf("Dedicated  Resources: PROCS: %s%n", Shown.text(node, "dedicatedProcs"));
        out.printf(
                "Opsys: %s  Arch: %s  Speed: %s  CPULoad: %s%n",
                Shown.text(node, "os"), Shown.text(node, "arch"), Shown.text(node, "speed"), Shown.text(node, "load"));
        out.printf(
                "Partition: %s  Rack/Slot: %s/%s  NodeIndex: %s%n",
                Shown.text(node, "partition"),
                Shown.text(node, "rack"),
                Shown.text(node, "slot"),
                Shown.text(node, "index"));
        line("Features", Shown.list(node, "features"));
        line("Classes", Shown.list(node, "classes"));
        line("Network", Shown.list(node, "networks"));
        line("NodeAccess", Shown.text(node, "nodeAccess"));
        line("Category", Shown.text(node, "category"));
        line("Priority", Shown.text(node, "priority"));
        line("Variables", Shown.list(node, "variables"));
        line("Messages", Shown.list(node, "messages"));
        node.path("metrics")
                .properties()
                .forEach(metric -> out.printf(
                        "GMetric[%s]: %s%n", metric.getKey(), metric.getValue().asText()));
        if (node.has("poweredOn") && !node.path("poweredOn").asBoolean()) {
            out.println("Power: Off");
        }
        jobs(node, now, out);
        warn(node, out);
    }

    private void jobs(JsonNode node, Instant now, PrintWriter out) {
        out.printf("%nReservations:%n");
        for (JsonNode job : node.path("jobs")) {
            out.printf(
                    "  %s  Job:Running  %sx PROCS  ends in %s (user %s)%n",
                    Shown.text(job, "jobId"),
                    Shown.text(job, "procs"),
                    Shown.relative(Shown.instant(job, "end").orElse(now), now),
                    Shown.text(job, "user"));
        }
        for (JsonNode reservation : node.path("reservations")) {
            Instant start = Shown.instant(reservation, "start").orElse(now);
            Instant end = Shown.instant(reservation, "end").orElse(now);
            out.printf(
                    "  %s  %s  %sx PROCS  %s -> %s%n",
                    Shown.text(reservation, "reservationId"),
                    Shown.word(reservation, "type"),
                    Shown.text(reservation, "procs"),
                    Shown.relative(start, now),
                    Shown.relative(end, now));
        }
        if (node.path("jobs").isEmpty() && node.path("reservations").isEmpty()) {
            out.println("  none");
        }
    }

    private static void warn(JsonNode node, PrintWriter out) {
        double load = node.path("load").asDouble();
        if (node.path("jobs").isEmpty()
                && load >= 1
                && node.path("state").asText().equals("IDLE")) {
            out.printf("WARNING:  node is idle but has a load of %s%n", Shown.text(node, "load"));
        }
        boolean away = node.path("state").asText().equals("DOWN");
        if (away && !node.path("jobs").isEmpty()) {
            out.printf(
                    "WARNING:  node is down but has %d jobs%n",
                    node.path("jobs").size());
        }
    }

    private void line(String label, String text) {
        if (verbose || !text.equals(Shown.NOTHING)) {
            out().printf("%s: %s%n", label, text);
        }
    }

    private static String amount(JsonNode node, String field, String name) {
        return node.path(field).asLong() > 0
                ? "  " + name + ": " + node.path(field).asLong() + "M"
                : "";
    }

    private static String gres(JsonNode node) {
        StringBuilder text = new StringBuilder();
        node.path("gres")
                .properties()
                .forEach(entry -> text.append("  ")
                        .append(entry.getKey())
                        .append(": ")
                        .append(entry.getValue().asText()));
        return text.toString();
    }
}
