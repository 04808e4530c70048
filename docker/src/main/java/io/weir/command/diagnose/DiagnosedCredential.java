package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.JobQuery;
import io.weir.command.format.FieldText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A kind of name that jobs bear, with its configuration parameter and its field in the job view. */
enum DiagnosedCredential {
    USER("User", "USERCFG", "user"),
    GROUP("Group", "GROUPCFG", "group"),
    ACCOUNT("Account", "ACCOUNTCFG", "account"),
    CLASS("Class", "CLASSCFG", "jobClass"),
    QOS("QOS", "QOSCFG", "qos");

    private final String title;
    private final String parameter;
    private final String field;

    DiagnosedCredential(String title, String parameter, String field) {
        this.title = title;
        this.parameter = parameter;
        this.field = field;
    }

    String title() {
        return title;
    }

    String parameter() {
        return parameter;
    }

    /** Asks for what {@link #uses} looks at. */
    JobQuery query(@Nullable String only) {
        JobQuery all = JobQuery.ALL.fields(field, "section", "procs");
        return only == null ? all : all.where(name().toLowerCase(Locale.ROOT), List.of(only));
    }

    /** Counts the jobs of each name, or of {@code only}. */
    ObjectNode uses(JsonNode jobs, @Nullable String only) {
        Map<String, long[]> counts = new TreeMap<>();
        for (JsonNode job : jobs) {
            String name = FieldText.text(job, field);
            if (only == null || only.equals(name)) {
                long[] count = counts.computeIfAbsent(name, unknown -> new long[4]);
                switch (job.path("section").asText()) {
                    case "ACTIVE" -> {
                        count[0]++;
                        count[1] += job.path("procs").asLong();
                    }
                    case "COMPLETED" -> count[3]++;
                    default -> count[2]++;
                }
            }
        }
        ObjectNode uses = JsonNodeFactory.instance.objectNode();
        counts.forEach((name, count) -> uses.putObject(name)
                .put("running", count[0])
                .put("procsInUse", count[1])
                .put("waiting", count[2])
                .put("completed", count[3]));
        return uses;
    }
}
