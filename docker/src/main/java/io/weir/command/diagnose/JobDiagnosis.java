package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.client.JobQuery;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs, and what looks wrong with them.
 *
 * @param id only this one; null for all that have not ended
 * @param blocked only those that are blocked, with what blocks them
 * @param verbose say what each is about
 * @param everything read all there is about each, beyond what is printed
 */
record JobDiagnosis(@Nullable String id, boolean blocked, boolean verbose, boolean everything)
        implements DiagnosisReport {
    /** What is printed, and what {@link JobSanity} looks at. */
    private static final List<String> FIELDS = List.of(
            "jobId",
            "state",
            "section",
            "procs",
            "walltimeSeconds",
            "user",
            "group",
            "account",
            "qos",
            "jobClass",
            "requirements",
            "now",
            "remainingSeconds",
            "startFailures",
            "pendingCommand",
            "allocation",
            "reportedEpoch",
            "connector",
            "reason",
            "holds",
            "held",
            "notBefore",
            "messages");

    @Override
    public String what() {
        return "job";
    }

    @Override
    public JsonNode read(Views views) {
        ArrayNode chosen = JsonNodeFactory.instance.arrayNode();
        for (JsonNode job : views.jobs("jobs", query())) {
            if (isWanted(job)) {
                chosen.add(job);
            }
        }
        return chosen;
    }

    private JobQuery query() {
        JobQuery query = JobQuery.ALL;
        if (blocked) {
            query = query.where("section", List.of("blocked"));
        } else if (id == null) {
            query = query.where("section", List.of("active", "eligible", "blocked"));
        }
        if (id != null) {
            query = query.where("job", List.of(id));
        }
        return everything ? query : query.fields(FIELDS);
    }

    private boolean isWanted(JsonNode job) {
        String section = job.path("section").asText();
        boolean wanted = blocked ? section.equals("BLOCKED") : id != null || !section.equals("COMPLETED");
        return wanted && (id == null || id.equals(job.path("jobId").asText()));
    }

    @Override
    public void print(JsonNode jobs, PrintWriter out) {
        TextTable table = new TextTable(
                "JobID", "State", ">Procs", ">WCLimit", "User", "Group", "Account", "QOS", "Class", "Features");
        for (JsonNode job : jobs) {
            table.row(
                    FieldText.text(job, "jobId"),
                    FieldText.word(job, "state"),
                    FieldText.text(job, "procs"),
                    FieldText.span(job, "walltimeSeconds"),
                    FieldText.text(job, "user"),
                    FieldText.text(job, "group"),
                    FieldText.text(job, "account"),
                    FieldText.text(job, "qos"),
                    FieldText.text(job, "jobClass"),
                    FieldText.list(job.path("requirements").path(0), "features"));
            JobSanity.warnings(job).forEach(warning -> table.below("  WARNING:  " + warning));
            if (blocked || verbose || job.path("section").asText().equals("BLOCKED")) {
                table.below("  " + JobSanity.state(job));
            }
        }
        table.print(out);
        out.printf("%nTotal Jobs: %d%n", jobs.size());
    }
}
