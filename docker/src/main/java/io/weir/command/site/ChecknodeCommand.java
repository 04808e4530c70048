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
                "Opsys: %s  Arch: %s  Speed: %s  CPULoad: %s%s%n",
                Shown.text(node, "os"),
                Shown.text(node, "arch"),
                Shown.text(node, "speed"),
                Shown.load(node),
                bump(node));
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
        line(
                "Power",
                !node.has("poweredOn") ? Shown.NOTHING : node.path("poweredOn").asBoolean() ? "On" : "Off");
        line("NodeAccess", Shown.text(node, "nodeAccess"));
        line(
                "Category",
                Shown.text(node, "category")
                        + (Shown.has(node, "categorySource") ? "  (" + Shown.text(node, "categorySource") + ")" : ""));
        planning(node);
        line("Node Sets", Shown.list(node, "nodeSets"));
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
        GenericText.metrics(node).forEach(out::println);
        GenericText.events(node, now).forEach(out::println);
        times(node.path("details"), out);
        jobs(node, now, out);
        node.path("warnings").forEach(warning -> out.println("WARNING:  " + warning.asText()));
    }

    /** A node in a state that takes no jobs is in no plan, however long it stays so. */
    private void planning(JsonNode node) {
        if (node.has("plannable") && !node.path("plannable").asBoolean()) {
            String state = node.path("failing").asBoolean() ? "failing" : Shown.word(node, "state");
            line("Planned as unavailable until", "INFINITY  (no job is planned on the node while it is " + state + ")");
        }
    }

    /** How the node spent the time since it is watched. */
    private static void times(JsonNode details, PrintWriter out) {
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
        double failures = detail(details, "failures").orElse(0.0);
        detail(details, "secondsBetweenFailures")
                .or(() -> detail(details, "totalSeconds"))
                .ifPresent(between -> out.printf(
                        "MTBF: %s  (failures: %.0f)%n", Shown.span(Duration.ofSeconds(between.longValue())), failures));
    }

    /** What placement adds to the load for jobs that were started since it was measured. */
    private static String bump(JsonNode node) {
        double measured = node.path("load").asDouble();
        return detail(node.path("details"), "assumedLoad")
                .filter(assumed -> assumed > measured)
                .map(assumed -> String.format(
                        Locale.ROOT, " (counts as %.2f: %.2f for jobs started since)", assumed, assumed - measured))
                .orElse("");
    }

    private static Optional<Double> detail(JsonNode details, String name) {
        return Answers.values(details, name).stream().findFirst().map(Double::valueOf);
    }

    private static void jobs(JsonNode node, Instant now, PrintWriter out) {
        out.printf("%nReservations:%n");
        if (node.path("jobs").isEmpty() && node.path("reservations").isEmpty()) {
            out.println("  none");
            return;
        }
        Listing table =
                new Listing("  Reservation", "Type", ">Procs", ">Start", "", ">End", ">Duration", "For").silent();
        for (JsonNode job : node.path("jobs")) {
            row(job, "jobId", "Job:Running", "user " + Shown.text(job, "user"), now, table);
        }
        for (JsonNode reservation : node.path("reservations")) {
            String type = Shown.word(reservation, "type")
                    + (reservation.path("active").asBoolean() ? ":Active" : "");
            String job = Shown.has(reservation, "jobId") ? "job " + Shown.text(reservation, "jobId") : "";
            row(reservation, "reservationId", type, job, now, table);
        }
        table.print(out);
        for (JsonNode step : node.path("blocked")) {
            long procs = node.path("procs").asLong();
            long held = step.path("procs").asLong();
            out.printf(
                    "Blocked Resources@%s  Procs: %d/%d (%s)%n",
                    Shown.relative(Shown.instant(step, "from").orElse(now), now),
                    held,
                    procs,
                    Shown.percent(held, procs));
        }
    }

    private static void row(JsonNode of, String id, String type, String who, Instant now, Listing into) {
        Instant start = Shown.instant(of, "start").orElse(now);
        Instant end = Shown.instant(of, "end").orElse(now);
        into.row(
                "  " + Shown.text(of, id),
                type,
                Shown.text(of, "procs") + "x PROCS",
                Shown.relative(start, now),
                "->",
                Shown.relative(end, now),
                "(" + Shown.span(Duration.between(start, end)) + ")",
                who);
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
