package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Prints a job view the way {@code checkjob} does. */
final class JobText {
    private final PrintWriter out;
    private final JsonNode job;
    private final boolean verbose;
    private final Instant now;

    JobText(PrintWriter out, JsonNode job, boolean verbose) {
        this.out = out;
        this.job = job;
        this.verbose = verbose;
        this.now = Shown.instant(job, "now").orElse(Instant.EPOCH);
    }

    void print() {
        out.printf("job %s%n%n", Shown.text(job, "jobId"));
        optional("AName", "name");
        out.printf("State: %s%n", Shown.word(job, "state"));
        optional("Completion Code", "exitCode");
        credentials();
        times();
        request();
        allocation();
        optionalList("Flags", "flags");
        out.printf("StartCount/Failures: -/%s%n", Shown.text(job, "startFailures"));
        optional("BypassCount", "bypassCount");
        holds();
        optional("SystemPriority", "systemPriority");
        reservations();
        optionalList("Messages", "messages");
        if (Shown.has(job, "reason")) {
            out.printf("Reason: %s%n", Shown.text(job, "reason"));
        }
        waiting();
    }

    private void credentials() {
        out.printf(
                "Creds:  user:%s  group:%s  account:%s  class:%s  qos:%s%n",
                Shown.text(job, "user"),
                Shown.text(job, "group"),
                Shown.text(job, "account"),
                Shown.text(job, "jobClass"),
                Shown.text(job, "qos"));
    }

    private void times() {
        Duration used = Shown.instant(job, "startTime")
                .map(start ->
                        Duration.between(start, Shown.instant(job, "endTime").orElse(now)))
                .orElse(Duration.ZERO);
        out.printf("WallTime:   %s of %s%n", Shown.span(used), Shown.span(job, "walltimeSeconds"));
        out.printf("SubmitTime: %s%n", Shown.time(job, "submitTime"));
        Instant until = Shown.instant(job, "startTime").orElse(now);
        Shown.instant(job, "submitTime")
                .ifPresent(submitted -> out.printf(
                        "  (Time Queued  Total: %s  Eligible: %s)%n",
                        Shown.span(Duration.between(submitted, until)),
                        Shown.instant(job, "eligibleSince")
                                .map(since -> Shown.span(Duration.between(since, until)))
                                .orElse(Shown.NOTHING)));
        if (Shown.has(job, "startTime")) {
            out.printf("StartTime: %s%n", Shown.time(job, "startTime"));
        }
        if (Shown.has(job, "endTime")) {
            out.printf("CompletionTime: %s%n", Shown.time(job, "endTime"));
        }
        if (Shown.has(job, "startAfter")) {
            out.printf("StartDate: %s%n", Shown.time(job, "startAfter"));
        }
    }

    private void request() {
        out.printf("%nTotal Requested Tasks: %s%n", Shown.text(job, "tasks"));
        JsonNode requirements = job.path("requirements");
        if (requirements.isEmpty()) {
            requirement(0, job);
        }
        for (int index = 0; index < requirements.size(); index++) {
            requirement(index, requirements.get(index));
        }
        optionalList("Hosts", "hosts");
        optional("NodeAccess", "nodeAccess");
        optional("Preference", "preference");
        optional("Reservation Asked For", "reservation");
        optional("Extension", "extension");
    }

    private void requirement(int index, JsonNode part) {
        String partitions = Shown.list(job, "partitions");
        out.printf(
                "%nReq[%d]  TaskCount: %s  Partition: %s%n",
                index, Shown.text(part, "tasks"), partitions.equals(Shown.NOTHING) ? "ALL" : partitions);
        StringBuilder each = new StringBuilder("PROCS: " + Shown.text(part, "procsPerTask"));
        amount(each, part, "memoryMb", "MEM", "M");
        amount(each, part, "swapMb", "SWAP", "M");
        amount(each, part, "diskMb", "DISK", "M");
        part.path("gres")
                .properties()
                .forEach(gres -> each.append("  ")
                        .append(gres.getKey())
                        .append(": ")
                        .append(gres.getValue().asText()));
        out.printf("Dedicated Resources Per Task: %s%n", each);
        amountLine(part, "nodes", "NodeCount");
        amountLine(part, "tasksPerNode", "TasksPerNode");
        amountLine(part, "arch", "Arch");
        amountLine(part, "os", "Opsys");
        amountLine(part, "network", "Network");
        if (!Shown.list(part, "features").equals(Shown.NOTHING)) {
            out.printf("Required Features: %s%n", Shown.list(part, "features"));
        }
        if (!Shown.list(part, "nodeConditions").equals(Shown.NOTHING)) {
            out.printf("Required Node Size: %s%n", Shown.list(part, "nodeConditions"));
        }
    }

    private static void amount(StringBuilder into, JsonNode part, String field, String name, String unit) {
        if (part.path(field).asLong() > 0) {
            into.append("  ")
                    .append(name)
                    .append(": ")
                    .append(part.path(field).asLong())
                    .append(unit);
        }
    }

    private void amountLine(JsonNode part, String field, String name) {
        if (Shown.has(part, field)) {
            out.printf("%s: %s%n", name, Shown.text(part, field));
        }
    }

    private void allocation() {
        JsonNode nodes = job.path("allocation");
        out.println();
        if (nodes.isEmpty()) {
            return;
        }
        out.println("Allocated Nodes:");
        for (JsonNode part : nodes) {
            out.printf("[%s:%s]", Shown.text(part, "nodeId"), Shown.text(part, "procs"));
        }
        out.printf("%n%n");
    }

    private void holds() {
        if (job.path("held").asBoolean()) {
            out.printf("Holds: %s%n", Shown.has(job, "holdTypes") ? Shown.list(job, "holdTypes") : "yes");
        }
        if (Shown.instant(job, "notBefore").filter(now::isBefore).isPresent()) {
            out.printf("Deferred until: %s%n", Shown.time(job, "notBefore"));
        }
        optional("PendingCommand", "pendingCommand");
    }

    private void reservations() {
        for (JsonNode held : job.path("reservations")) {
            Instant start = Shown.instant(held, "start").orElse(now);
            Instant end = Shown.instant(held, "end").orElse(now);
            out.printf(
                    "Reservation '%s' (%s -> %s  Duration: %s)%n",
                    Shown.text(held, "reservationId"),
                    Shown.relative(start, now),
                    Shown.relative(end, now),
                    Shown.span(held, "durationSeconds"));
        }
    }

    private void waiting() {
        JsonNode details = job.path("details");
        JsonNode why = job.path("explanation");
        if (!details.isEmpty()) {
            fromDetails(details);
        } else if (!why.isMissingNode() && !why.isNull() && !isOver()) {
            published(why);
        } else if (job.path("held").asBoolean() && !isOver()) {
            out.println("NOTE:  job cannot run  (job is held)");
        }
    }

    private boolean isOver() {
        String section = job.path("section").asText();
        return !section.equals("ELIGIBLE") && !section.equals("BLOCKED");
    }

    private void published(JsonNode why) {
        out.printf(
                "%nNOTE:  job cannot run  (%s)%n",
                Shown.has(why, "message") ? Shown.text(why, "message") : Shown.text(why, "constraint"));
        out.printf("Constraint: %s   as of %s%n", Shown.text(why, "constraint"), Shown.time(why, "time"));
        if (why.path("nodesConsidered").asInt() > 0) {
            out.printf("Nodes considered: %s%n", Shown.text(why, "nodesConsidered"));
        }
        why.path("rejections")
                .properties()
                .forEach(count -> out.printf(
                        "  %-14s %s nodes%n", count.getKey(), count.getValue().asText()));
        if (!why.path("blockers").isEmpty()) {
            out.printf("Held by: %s%n", Shown.list(why, "blockers"));
        }
        if (Shown.has(why, "queuePosition")) {
            out.printf("Queue position: %s%n", Shown.text(why, "queuePosition"));
        }
        if (Shown.has(why, "priority")) {
            out.printf("StartPriority: %s%n", Shown.text(why, "priority"));
        }
        Shown.instant(why, "expectedStart")
                .ifPresent(start ->
                        out.printf("Expected start: %s (in %s)%n", Shown.time(start), Shown.relative(start, now)));
    }

    private void fromDetails(JsonNode details) {
        String prefix = "job " + Shown.text(job, "jobId") + " ";
        String message = Shown.text(job, "detailsMessage");
        List<String> constraint = Answers.values(details, "constraint");
        String cause = constraint.isEmpty() ? "no reason given" : constraint.get(0);
        String why = message.equals(Shown.NOTHING)
                ? cause
                : message.startsWith(prefix) ? message.substring(prefix.length()) : message;
        out.printf("%nNOTE:  job cannot run  (%s)%n", why);
        for (JsonNode detail : details) {
            String name = detail.path("name").asText();
            String value = detail.path("value").asText();
            if (name.startsWith("rejected ")) {
                out.printf("  %-14s %s nodes%n", name.substring("rejected ".length()), value);
            } else if (name.startsWith("node ")) {
                if (verbose) {
                    out.printf("  node %-16s %s%n", name.substring("node ".length()), value);
                }
            } else if (name.equals("start")) {
                Instant start = Instant.parse(value);
                out.printf("Expected start: %s (in %s)%n", Shown.time(start), Shown.relative(start, now));
            } else if (!name.equals("job")) {
                out.printf("%s: %s%n", label(name), value);
            }
        }
    }

    private static String label(String name) {
        return switch (name) {
            case "constraint" -> "Constraint";
            case "nodes" -> "Nodes considered";
            case "blocker" -> "Held by";
            case "position" -> "Queue position";
            case "priority" -> "StartPriority";
            case "nodeset" -> "NodeSet";
            default -> name;
        };
    }

    private void optional(String label, String field) {
        if (Shown.has(job, field)) {
            out.printf("%s: %s%n", label, Shown.text(job, field));
        }
    }

    private void optionalList(String label, String field) {
        String text = Shown.list(job, field);
        if (!text.equals(Shown.NOTHING)) {
            out.printf("%s: %s%n", label, text);
        }
    }
}
