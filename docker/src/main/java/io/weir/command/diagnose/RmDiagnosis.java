package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Resource managers as they were heard of last.
 *
 * @param id only this one; null for all
 */
record RmDiagnosis(@Nullable String id) implements DiagnosisReport {
    @Override
    public String what() {
        return "resource manager";
    }

    @Override
    public JsonNode read(Views views) {
        return views.some(
                "connectors",
                connector -> id == null || id.equals(connector.path("connector").asText()));
    }

    private static String version(JsonNode connector) {
        String version = FieldText.text(connector, "rmVersion");
        return version.equals(FieldText.NOTHING) || version.equals("unknown") ? "" : " " + version;
    }

    /** A connector tells nothing between polls that are answered: those that fail show in what is missing. */
    private static String state(JsonNode connector) {
        boolean late = connector.path("late").asBoolean();
        String state = connector.path("silent").asBoolean() ? "Silent" : late ? "Late" : "Active";
        return late
                ? state + " (polls fail, the connector is away, or it cannot publish: too few brokers are there)"
                : state;
    }

    @Override
    public void print(JsonNode connectors, PrintWriter out) {
        for (JsonNode connector : connectors) {
            out.printf(
                    "RM[%s]  Type: %s%s  State: %s%n",
                    FieldText.text(connector, "connector"),
                    FieldText.text(connector, "rmType"),
                    version(connector),
                    state(connector));
            out.printf(
                    "  Last poll: %s (%s ago), number %s of epoch %s%n",
                    FieldText.time(connector, "rmTime"),
                    FieldText.span(connector, "silentSeconds"),
                    FieldText.text(connector, "number"),
                    FieldText.text(connector, "epoch"));
            out.printf(
                    "  Reports: %s nodes, %s jobs; records of this epoch: %s%n",
                    FieldText.text(connector, "nodes"),
                    FieldText.text(connector, "jobs"),
                    FieldText.list(connector, "counts"));
            out.printf(
                    "  Failures: %s polls or commands without an answer%s; malformed input of the last poll: %s%n",
                    FieldText.text(connector, "failures"),
                    connector.path("late").asBoolean() ? " before the last poll, later ones are not told yet" : "",
                    FieldText.text(connector, "malformed"));
            out.printf(
                    "  Commands: %s issued, %s finished%n",
                    FieldText.text(connector, "issuedCommand"), FieldText.text(connector, "lastCommand"));
        }
        out.printf("%nTotal RMs: %d%n", connectors.size());
    }
}
