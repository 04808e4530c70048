package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.format.FieldText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What looks wrong with a job, by its view alone. */
final class JobSanity {
    private JobSanity() {}

    static List<String> warnings(JsonNode job) {
        List<String> warnings = new ArrayList<>();
        if (job.path("remainingSeconds").asLong() < 0) {
            warnings.add("job is past its limit by " + FieldText.span(job, "remainingSeconds"));
        }
        if (job.path("startFailures").asInt() > 0) {
            warnings.add("its start has failed " + job.path("startFailures").asInt() + " times");
        }
        if (FieldText.has(job, "pendingCommand")) {
            warnings.add(FieldText.text(job, "pendingCommand") + " is on its way to the resource manager");
        }
        if (job.path("section").asText().equals("ACTIVE")
                && job.path("allocation").isEmpty()) {
            warnings.add("job is active and has no nodes");
        }
        if (job.has("reportedEpoch") && !FieldText.has(job, "connector")) {
            warnings.add("no connector answers for it");
        }
        return warnings;
    }

    /** Says in a few words what a job is waiting for. */
    static String state(JsonNode job) {
        Instant now = FieldText.instant(job, "now").orElse(Instant.EPOCH);
        String reason = FieldText.has(job, "reason") ? ": " + FieldText.text(job, "reason") : "";
        if (!job.path("holds").isEmpty()) {
            return "held: " + FieldText.list(job, "holds").toLowerCase(Locale.ROOT) + reason;
        }
        if (job.path("held").asBoolean() || FieldText.text(job, "state").equals("HOLD")) {
            return "held by the resource manager" + reason;
        }
        if (FieldText.instant(job, "notBefore").filter(now::isBefore).isPresent()) {
            JsonNode messages = job.path("messages");
            String said = messages.isEmpty()
                    ? ""
                    : ": " + messages.get(messages.size() - 1).asText();
            return "deferred until " + FieldText.time(job, "notBefore") + (reason.isEmpty() ? said : reason);
        }
        return FieldText.word(job, "state") + reason;
    }
}
