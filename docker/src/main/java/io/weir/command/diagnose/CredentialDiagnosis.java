package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.PolicyLines;
import io.weir.command.client.Views;
import io.weir.command.format.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of one kind: how they are configured and what their jobs use.
 *
 * @param kind such as QOS
 * @param id only this one; null for all
 */
record CredentialDiagnosis(
        DiagnosedCredential kind, @Nullable String id) implements DiagnosisReport {
    @Override
    public String what() {
        return kind == DiagnosedCredential.QOS ? kind.title() : kind.title().toLowerCase(Locale.ROOT);
    }

    @Override
    public JsonNode read(Views views) {
        ObjectNode read = JsonNodeFactory.instance.objectNode();
        read.set("use", kind.uses(views.jobs("jobs", kind.query(id)), id));
        ArrayNode configuration = read.putArray("configuration");
        List<String> lines = views.configured(kind.parameter());
        lines.stream().filter(line -> id == null || isAbout(line, id)).forEach(configuration::add);
        if (kind == DiagnosedCredential.CLASS) {
            read.set("warnings", NamedNodes.warnings(views, kind.parameter(), id));
        }
        boolean unknown =
                id != null && read.path("use").isEmpty() && lines.stream().noneMatch(line -> isOf(line, id));
        return unknown ? JsonNodeFactory.instance.arrayNode() : read;
    }

    private boolean isAbout(String line, String name) {
        return isOf(line, name) || isOf(line, "DEFAULT");
    }

    private boolean isOf(String line, String name) {
        String start = kind.parameter() + "[" + name + "]";
        return line.regionMatches(true, 0, start, 0, start.length());
    }

    @Override
    public void print(JsonNode read, PrintWriter out) {
        TextTable table = new TextTable(kind.title(), ">Running", ">ProcsInUse", ">Waiting", ">Completed");
        read.path("use")
                .properties()
                .forEach(use -> table.row(
                        use.getKey(),
                        use.getValue().path("running").asText(),
                        use.getValue().path("procsInUse").asText(),
                        use.getValue().path("waiting").asText(),
                        use.getValue().path("completed").asText()));
        table.print(out);
        PolicyLines.print(read.path("configuration"), out);
        read.path("warnings").forEach(warning -> out.println("WARNING:  " + warning.asText()));
    }
}
