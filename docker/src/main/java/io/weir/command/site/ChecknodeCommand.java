package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.ExitCode;
import io.weir.schemas.RequestKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir checknode}: one node. */
@Command(name = "checknode", description = "Shows one node: state, resources, what is known of it, and who has it.")
public final class ChecknodeCommand extends SiteCommand {
    @Parameters(paramLabel = "NODE", description = "Node name.")
    private String id = "";

    @Option(names = "-v", description = "Show what is empty, too.")
    private boolean verbose;

    @Override
    String xmlItem() {
        return "node";
    }

    @Override
    int run(Site site) throws IOException {
        String cluster = options().cluster(site);
        ObjectNode node = one(site, cluster, "nodes", id, "node").deepCopy();
        ask(site, cluster, node);
        if (options().structured()) {
            print(node);
        } else {
            text(node);
        }
        return ExitCode.FINE;
    }

    /** Asks the scheduler for what is not published with a node; without an answer that is left out. */
    private void ask(Site site, String cluster, ObjectNode node) {
        try {
            JsonNode answer = site.ask(cluster, Wish.about(RequestKind.SHOW_NODE, id));
            if (Answers.accepted(answer)) {
                node.set("details", answer.path("details"));
            }
        } catch (SiteException e) {
            if (e.exitCode() != ExitCode.UNREACHABLE) {
                err().println("weir: what was published has to do: " + e.getMessage());
            }
        }
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
        resources(node, "Configured", "configured");
        resources(node, "Utilized  ", "utilized");
        resources(node, "Dedicated ", "dedicated");
        resources(node, "Available ", "available");
        StringBuilder policies = new StringBuilder();
        node.path("resources")
                .properties()
                .forEach(resource -> policies.append(policies.isEmpty() ? "" : "  ")
                        .append(resource.getKey())
                        .append(": ")
                        .append(Shown.text(resource.getValue(), "policy")));
        line("Availability Policy", policies.isEmpty() ? Shown.NOTHING : policies.toString());
        line("Generic Resources", Shown.list(node, "gres"));
        out.printf(
                "Opsys: %s  Arch: %s  Speed: %s  CPULoad: %s%n",
                Shown.text(node, "os"), Shown.text(node, "arch"), Shown.text(node, "speed"), Shown.text(node, "load"));
        line("NodeType", Shown.text(node, "nodeType"));
        line("ProcSpeed", Shown.has(node, "procSpeedMhz") ? Shown.text(node, "procSpeedMhz") + " MHz" : Shown.NOTHING);
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
        line(
                "Category",
                Shown.text(node, "category")
                        + (Shown.has(node, "categorySource") ? "  (" + Shown.text(node, "categorySource") + ")" : ""));
        line("Priority", Shown.text(node, "priority"));
        line("PriorityF", Shown.text(node, "priorityFunction"));
        line("MaxLoad", node.path("maxLoad").asDouble() > 0 ? Shown.text(node, "maxLoad") : Shown.NOTHING);
        line("ChargeRate", Shown.text(node, "chargeRate"));
        line("Comment", Shown.text(node, "comment"));
        line("Variables", Shown.list(node, "variables"));
        line("Attached by operators", Shown.list(node, "marks"));
        int index = 0;
        for (JsonNode message : node.path("messages")) {
            out.printf("Message[%d]: %s%n", ++index, message.asText());
        }
        node.path("metrics")
                .properties()
                .forEach(metric -> out.printf(
                        "GMetric[%s]: %s%n", metric.getKey(), metric.getValue().asText()));
        times(node.path("details"), out);
        if (node.has("poweredOn") && !node.path("poweredOn").asBoolean()) {
            out.println("Power: Off");
        }
        jobs(node, now, out);
        warn(node, out);
    }

    /** How the node spent the time since it is watched. */
    private static void times(JsonNode details, PrintWriter out) {
        detail(details, "assumedLoad").ifPresent(load -> out.printf("Load with what was started since: %.2f%n", load));
        detail(details, "totalSeconds").ifPresent(total -> {
            double up = detail(details, "upSeconds").orElse(0.0);
            double busy = detail(details, "busySeconds").orElse(0.0);
            out.printf(
                    "Total Time: %s  Up: %s (%s)  Busy: %s (%s)%n",
                    Shown.span(Duration.ofSeconds(total.longValue())),
                    Shown.span(Duration.ofSeconds((long) up)),
                    Shown.percent((long) up, total.longValue()),
                    Shown.span(Duration.ofSeconds((long) busy)),
                    Shown.percent((long) busy, total.longValue()));
        });
        detail(details, "secondsBetweenFailures")
                .ifPresent(between -> out.printf(
                        "MTBF: %s  (failures: %.0f)%n",
                        Shown.span(Duration.ofSeconds(between.longValue())),
                        detail(details, "failures").orElse(0.0)));
    }

    private static Optional<Double> detail(JsonNode details, String name) {
        return Answers.values(details, name).stream().findFirst().map(Double::valueOf);
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

    private void resources(JsonNode node, String label, String field) {
        StringBuilder text = new StringBuilder();
        node.path("resources").properties().forEach(resource -> {
            JsonNode amount = resource.getValue().path(field);
            boolean procs = resource.getKey().equals("PROC");
            text.append(text.isEmpty() ? "" : "  ")
                    .append(procs ? "PROCS" : resource.getKey())
                    .append(": ")
                    .append(
                            amount.isFloatingPointNumber()
                                    ? String.format(Locale.ROOT, procs ? "%.2f" : "%.0f", amount.asDouble())
                                    : amount.asText())
                    .append(procs ? "" : "M");
        });
        out().printf("%s Resources: %s%n", label, text.isEmpty() ? Shown.NOTHING : text);
    }
}
