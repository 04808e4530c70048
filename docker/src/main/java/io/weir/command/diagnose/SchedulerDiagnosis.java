package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.JobQuery;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.scheduler.SchedulerNotices;
import java.io.PrintWriter;

/**
 * The scheduler: its clock and iteration, whether it schedules, the configuration in force.
 *
 * @param verbose print that, too
 */
record SchedulerDiagnosis(boolean verbose) implements DiagnosisReport {
    @Override
    public String what() {
        return "scheduler";
    }

    @Override
    public JsonNode read(Views views) {
        JsonNode queue = views.jobs("queue", JobQuery.COUNTS);
        JsonNode counts = queue.path("counts");
        ObjectNode read = JsonNodeFactory.instance
                .objectNode()
                .put("cluster", views.cluster())
                .put("now", queue.path("now").asText())
                .put("active", counts.path("active").asInt())
                .put("eligible", counts.path("eligible").asInt())
                .put("blocked", counts.path("blocked").asInt())
                .put("completed", counts.path("completed").asInt());
        read.set("scheduler", queue.path("scheduler"));
        read.set("policy", views.all("policy"));
        return read;
    }

    @Override
    public void print(JsonNode read, PrintWriter out) {
        JsonNode scheduler = read.path("scheduler");
        String halted = SchedulerNotices.state(scheduler);
        out.printf(
                "Weir schedules %s, at %s, iteration %s%n",
                FieldText.text(read, "cluster"), FieldText.time(read, "now"), FieldText.text(scheduler, "iteration"));
        out.printf("State: %s%n", halted.isEmpty() ? "scheduling" : halted);
        out.printf(
                "Jobs: %s active, %s eligible, %s blocked, %s completed%n",
                FieldText.text(read, "active"),
                FieldText.text(read, "eligible"),
                FieldText.text(read, "blocked"),
                FieldText.text(read, "completed"));
        JsonNode policy = read.path("policy");
        out.printf(
                "Configuration: %s%n",
                FieldText.has(policy, "version")
                        ? FieldText.text(policy, "version") + " (from " + FieldText.text(policy, "source")
                                + ", published " + FieldText.time(policy, "time") + " by "
                                + FieldText.text(policy, "principal") + ")"
                        : "built-in defaults; weir policy publishes one");
        for (JsonNode added : policy.path("runtimeSettings")) {
            out.printf(
                    "  changed at run time: %s%s%n",
                    FieldText.text(added, "setting"), added.path("persistent").asBoolean() ? " (persistent)" : "");
        }
        int index = 0;
        for (JsonNode message : scheduler.path("messages")) {
            out.printf("Message[%d]: %s%n", ++index, message.asText());
        }
        if (verbose) {
            out.println(policy.path("text").asText());
        }
    }
}
