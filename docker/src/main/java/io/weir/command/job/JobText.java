package io.weir.command.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.RequestAnswer;
import io.weir.command.format.FieldText;
import io.weir.command.format.NodeTasks;
import io.weir.command.format.TimeText;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;

/** Prints a job view the way {@code checkjob} does. */
final class JobText {
    private static final String NODE = "node ";
    private static final String POLICY = "policy ";

    private final PrintWriter out;
    private final JsonNode job;
    private final Instant now;

    JobText(PrintWriter out, JsonNode job) {
        this.out = out;
        this.job = job;
        this.now = FieldText.instant(job, "now").orElse(Instant.EPOCH);
    }

    void print() {
        out.printf("job %s%n%n", FieldText.text(job, "jobId"));
        optional("AName", "name");
        out.printf("State: %s%n", FieldText.word(job, "state"));
        optional("Completion Code", "exitCode");
        credentials();
        times();
        request();
        allocation();
        optionalList("Flags", "flags");
        count("StartCount", "starts");
        count("StartFailures", "startFailures");
        count("BypassCount", "bypassCount");
        holds();
        optional("SystemPriority", "systemPriority");
        count("UserPriority", "userPriority");
        reservations();
        marks();
        optionalList("Messages", "messages");
        if (FieldText.has(job, "reason")) {
            out.printf("Reason: %s%n", FieldText.text(job, "reason"));
        }
        waiting();
    }

    private void credentials() {
        out.printf(
                "Creds:  user:%s  group:%s  account:%s  class:%s  qos:%s%n",
                FieldText.text(job, "user"),
                FieldText.text(job, "group"),
                FieldText.text(job, "account"),
                FieldText.text(job, "jobClass"),
                FieldText.text(job, "qos"));
    }

    private void times() {
        Duration used = FieldText.instant(job, "startTime")
                .map(start -> Duration.between(
                        start, FieldText.instant(job, "endTime").orElse(now)))
                .orElse(Duration.ZERO);
        out.printf("WallTime:   %s of %s%n", TimeText.span(used), FieldText.span(job, "walltimeSeconds"));
        out.printf("SubmitTime: %s%n", FieldText.time(job, "submitTime"));
        Instant until = FieldText.instant(job, "startTime").orElse(now);
        FieldText.instant(job, "submitTime")
                .ifPresent(submitted -> out.printf(
                        "  (Time Queued  Total: %s  Eligible: %s)%n",
                        TimeText.span(Duration.between(submitted, until)), TimeText.span(eligible(until))));
        if (FieldText.has(job, "startTime")) {
            out.printf("StartTime: %s%n", FieldText.time(job, "startTime"));
        }
        if (FieldText.has(job, "endTime")) {
            out.printf("CompletionTime: %s%n", FieldText.time(job, "endTime"));
        }
        if (FieldText.has(job, "startAfter")) {
            out.printf("StartDate: %s%n", FieldText.time(job, "startAfter"));
        }
        if (FieldText.has(job, "deadline")) {
            out.printf("Deadline: %s%n", FieldText.time(job, "deadline"));
        }
    }

    /** What counts of the time it waited: all but what it was held or not to start. */
    private Duration eligible(Instant until) {
        Duration before = Duration.ofSeconds(job.path("accruedSeconds").asLong());
        return FieldText.instant(job, "eligibleSince")
                .filter(until::isAfter)
                .map(since -> before.plus(Duration.between(since, until)))
                .orElse(before);
    }

    private void request() {
        out.printf("%nTotal Requested Tasks: %s%n", FieldText.text(job, "tasks"));
        JsonNode requirements = job.path("requirements");
        if (requirements.isEmpty()) {
            requirement(0, job);
        }
        for (int index = 0; index < requirements.size(); index++) {
            requirement(index, requirements.get(index));
            ownPlace(requirements.get(index));
        }
        optionalList("Hosts", "hosts");
        optionalList("Excluded Hosts", "excludedHosts");
        optionalList("Other Classes", "otherClasses");
        optional("NodeAccess", "nodeAccess");
        optional("Preference", "preference");
        optional("Reservation Asked For", "reservation");
        optional("Extension", "extension");
        policies();
    }

    private void requirement(int index, JsonNode part) {
        String partitions = FieldText.list(job, "partitions");
        out.printf(
                "%nReq[%d]  TaskCount: %s  Partition: %s%n",
                index, FieldText.text(part, "tasks"), partitions.equals(FieldText.NOTHING) ? "ALL" : partitions);
        StringBuilder each = new StringBuilder("PROCS: " + FieldText.text(part, "procsPerTask"));
        amount(each, part, "memoryMb", "MEM", "M");
        amount(each, part, "swapMb", "SWAP", "M");
        amount(each, part, "diskMb", "DISK", "M");
        resources(each, part.path("gres"));
        out.printf("Dedicated Resources Per Task: %s%n", each);
        StringBuilder perNode = new StringBuilder();
        amount(perNode, part, "nodeProcs", "PROCS", "");
        amount(perNode, part, "nodeMemoryMb", "MEM", "M");
        resources(perNode, part.path("nodeGres"));
        if (!perNode.isEmpty()) {
            out.printf("Dedicated Resources Per Node, At Least:%s%n", perNode);
        }
        amountLine(part, "nodes", "NodeCount");
        amountLine(part, "tasksPerNode", "TasksPerNode");
        nodeCount(part);
        amountLine(part, "arch", "Arch");
        amountLine(part, "os", "Opsys");
        amountLine(part, "network", "Network");
        list(part, "features", "Required Features");
        list(part, "nodeConditions", "Required Node Size");
    }

    /** Tells where the tasks of one requirement may go, in place of where the job may. */
    private void ownPlace(JsonNode part) {
        list(part, "classes", "Classes");
        list(part, "hosts", "Hosts");
        list(part, "excludedHosts", "Excluded Hosts");
        list(part, "requiredHosts", "Required Hosts, Besides Others");
        if (part.path("apart").asBoolean()) {
            out.printf("Nodes: of their own%n");
        }
    }

    private void list(JsonNode part, String field, String name) {
        if (!FieldText.list(part, field).equals(FieldText.NOTHING)) {
            out.printf("%s: %s%n", name, FieldText.list(part, field));
        }
    }

    private void nodeCount(JsonNode part) {
        int least = part.path("leastNodes").asInt();
        int most = part.path("mostNodes").asInt();
        boolean few = part.path("fewestNodes").asBoolean();
        if (least > 0 || most > 0 || few) {
            String range = most == 0 ? Math.max(1, least) + " or more" : Math.max(1, least) + " to " + most;
            String fewest = few ? ", as few as will do" : "";
            String free = part.path("moldable").asBoolean() ? ", as many as are free at its start" : fewest;
            out.printf("Nodes: %s%n", least == most && !few ? Integer.toString(least) : range + free);
        }
        if (part.path("mostTasksPerNode").asInt() > 0) {
            out.printf(
                    "TasksPerNode: at most %d%n", part.path("mostTasksPerNode").asInt());
        }
    }

    private static void resources(StringBuilder into, JsonNode gres) {
        gres.properties()
                .forEach(each -> into.append("  ")
                        .append(each.getKey())
                        .append(": ")
                        .append(each.getValue().asText()));
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
        if (FieldText.has(part, field)) {
            out.printf("%s: %s%n", name, FieldText.text(part, field));
        }
    }

    private void allocation() {
        JsonNode nodes = job.path("allocation");
        if (nodes.isEmpty()) {
            return;
        }
        out.println();
        out.println("Allocated Nodes (tasks on each):");
        NodeTasks tasks = new NodeTasks(job);
        for (JsonNode part : nodes) {
            String node = FieldText.text(part, "nodeId");
            out.printf("[%s:%d]", node, tasks.on(node));
        }
        out.printf("%n");
        optionalList("Failed Nodes", "failedNodes");
        out.println();
    }

    private void holds() {
        if (job.path("held").asBoolean() || !job.path("holds").isEmpty()) {
            out.printf(
                    "Holds: %s%n",
                    job.path("holds").isEmpty() ? "by the resource manager" : FieldText.list(job, "holds"));
        }
        if (FieldText.instant(job, "notBefore").filter(now::isBefore).isPresent()) {
            out.printf("Deferred until: %s%n", FieldText.time(job, "notBefore"));
        }
        optional("PendingCommand", "pendingCommand");
    }

    private void reservations() {
        for (JsonNode held : job.path("reservations")) {
            Instant start = FieldText.instant(held, "start").orElse(now);
            Instant end = FieldText.instant(held, "end").orElse(now);
            out.printf(
                    "Reservation '%s' (%s -> %s  Duration: %s)  Type: %s%n",
                    FieldText.text(held, "reservationId"),
                    TimeText.relative(start, now),
                    TimeText.relative(end, now),
                    FieldText.span(held, "durationSeconds"),
                    FieldText.word(held, "type"));
        }
    }

    /** What operators attached: variables and metrics. */
    private void marks() {
        for (JsonNode mark : job.path("marks")) {
            String[] words = mark.path("name").asText().split(" ", 2);
            String name = words[words.length - 1];
            String value = mark.path("value").asText();
            out.println(
                    words[0].equals("gmetric") ? "GMetric[" + name + "]: " + value : "Variable: " + name + "=" + value);
        }
    }

    private void waiting() {
        JsonNode details = job.path("details");
        JsonNode why = job.path("explanation");
        if (isOver()) {
            return;
        }
        if (!details.isEmpty()) {
            explain(JobReason.answered(job));
            RequestAnswer.values(details, "nodeset").forEach(text -> out.printf("NodeSet: %s%n", text));
            nodes(details);
        } else if (why.isObject()) {
            explain(JobReason.published(why));
        } else if (job.path("held").asBoolean()) {
            out.printf("%nNOTE:  job cannot run  (job is held)%n");
        }
    }

    private boolean isOver() {
        String section = job.path("section").asText();
        return !section.equals("ELIGIBLE") && !section.equals("BLOCKED");
    }

    private void explain(JobReason why) {
        if (why.constraint().equals("None")) {
            out.printf("%nNOTE:  job %s%n", TimeText.readable(why.message()));
            return;
        }
        out.printf("%nNOTE:  job cannot run  (%s)%n", TimeText.readable(why.message()));
        out.printf(
                "Constraint: %s%s%n",
                why.constraint(),
                why.asOf().map(time -> "   as of " + TimeText.time(time)).orElse(""));
        if (why.nodesConsidered() > 0) {
            out.printf("Nodes considered: %d%n", why.nodesConsidered());
        }
        why.rejections().forEach((reason, count) -> out.printf("  %-14s %s nodes%n", reason, count));
        if (!why.blockers().isEmpty()) {
            out.printf("Held by: %s%n", String.join(",", why.blockers()));
        }
        if (!why.position().isEmpty()) {
            out.printf("Queue position: %s%n", why.position());
        }
        if (!why.priority().isEmpty()) {
            out.printf("StartPriority: %s%n", why.priority());
        }
        why.expectedStart()
                .ifPresent(start -> out.printf(
                        "%s start: %s (in %s)%n",
                        why.isDated() ? "Earliest" : "Expected", TimeText.time(start), TimeText.relative(start, now)));
    }

    private void nodes(JsonNode details) {
        int width = 0;
        for (JsonNode detail : details) {
            String name = detail.path("name").asText();
            width = name.startsWith(NODE) ? Math.max(width, name.length() - NODE.length()) : width;
        }
        for (JsonNode detail : details) {
            String name = detail.path("name").asText();
            String value = detail.path("value").asText();
            if (name.startsWith(NODE)) {
                out.printf("  node %-" + width + "s  %s%n", name.substring(NODE.length()), value);
            } else if (name.equals("more nodes")) {
                out.printf("  and %s more nodes; -n asks about one%n", value);
            }
        }
    }

    /** The policies that hold for the job, each with the level it comes from. */
    private void policies() {
        for (JsonNode detail : job.path("details")) {
            String name = detail.path("name").asText();
            if (name.startsWith(POLICY)) {
                out.printf("%s: %s%n", name.substring(POLICY.length()), FieldText.text(detail, "value"));
            }
        }
    }

    private void optional(String label, String field) {
        if (FieldText.has(job, field)) {
            out.printf("%s: %s%n", label, FieldText.text(job, field));
        }
    }

    private void count(String label, String field) {
        if (job.path(field).asLong() != 0) {
            out.printf("%s: %d%n", label, job.path(field).asLong());
        }
    }

    private void optionalList(String label, String field) {
        String text = FieldText.list(job, field);
        if (!text.equals(FieldText.NOTHING)) {
            out.printf("%s: %s%n", label, text);
        }
    }
}
