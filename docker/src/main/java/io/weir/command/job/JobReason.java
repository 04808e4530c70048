package io.weir.command.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.RequestAnswer;
import io.weir.command.format.FieldText;
import io.weir.scheduler.core.explain.WaitCause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why a job waits, be it published or answered: both are the scheduler's own finding and are printed alike.
 *
 * @param message the whole in one sentence
 * @param constraint the binding constraint
 * @param asOf when it was published; empty for an answer, which is of now
 * @param nodesConsidered nodes looked at
 * @param rejections nodes removed by each constraint
 * @param blockers jobs and reservations that hold what the job needs
 * @param position place in the queue; empty when unknown
 * @param priority priority; empty when unknown
 * @param expectedStart expected start, if known
 */
record JobReason(
        String message,
        String constraint,
        Optional<Instant> asOf,
        int nodesConsidered,
        Map<String, String> rejections,
        List<String> blockers,
        String position,
        String priority,
        Optional<Instant> expectedStart) {
    private static final String REJECTED = "rejected ";

    /** Says whether the start is only the date before which the job is not tried: nothing says that it can start then. */
    boolean isDated() {
        return constraint.equals(WaitCause.DEFERRED) || constraint.equals(WaitCause.START_DATE);
    }

    /** Reads a record of the topic of explanations. */
    static JobReason published(JsonNode why) {
        Map<String, String> rejections = new LinkedHashMap<>();
        why.path("rejections")
                .properties()
                .forEach(
                        count -> rejections.put(count.getKey(), count.getValue().asText()));
        List<String> blockers = new ArrayList<>();
        why.path("blockers").forEach(blocker -> blockers.add(blocker.asText()));
        return new JobReason(
                FieldText.has(why, "message") ? FieldText.text(why, "message") : FieldText.text(why, "constraint"),
                FieldText.text(why, "constraint"),
                FieldText.instant(why, "time"),
                why.path("nodesConsidered").asInt(),
                rejections,
                blockers,
                known(why, "queuePosition"),
                known(why, "priority"),
                FieldText.instant(why, "expectedStart"));
    }

    /** Reads the scheduler's answer out of a job view that has its details. */
    static JobReason answered(JsonNode job) {
        JsonNode details = job.path("details");
        Map<String, String> rejections = new LinkedHashMap<>();
        for (JsonNode detail : details) {
            String name = detail.path("name").asText();
            if (name.startsWith(REJECTED)) {
                rejections.put(
                        name.substring(REJECTED.length()), detail.path("value").asText());
            }
        }
        String constraint = first(details, "constraint");
        String prefix = "job " + FieldText.text(job, "jobId") + " ";
        String message = FieldText.has(job, "detailsMessage") ? FieldText.text(job, "detailsMessage") : constraint;
        String nodes = first(details, "nodes");
        String start = first(details, "start");
        return new JobReason(
                message.startsWith(prefix) ? message.substring(prefix.length()) : message,
                constraint,
                Optional.empty(),
                nodes.isEmpty() ? 0 : Integer.parseInt(nodes),
                rejections,
                RequestAnswer.values(details, "blocker"),
                first(details, "position"),
                first(details, "priority"),
                start.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(start)));
    }

    private static String known(JsonNode of, String field) {
        return FieldText.has(of, field) ? FieldText.text(of, field) : "";
    }

    private static String first(JsonNode details, String name) {
        List<String> values = RequestAnswer.values(details, name);
        return values.isEmpty() ? "" : values.get(0);
    }
}
