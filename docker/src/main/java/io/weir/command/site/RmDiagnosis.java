package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Resource managers as they were heard of last.
 *
 * @param id only this one; null for all
 */
record RmDiagnosis(@Nullable String id) implements Diagnosis {
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
        String version = Shown.text(connector, "rmVersion");
        return version.equals(Shown.NOTHING) || version.equals("unknown") ? "" : " " + version;
    }

    @Override
    public void print(JsonNode connectors, PrintWriter out) {
        for (JsonNode connector : connectors) {
            out.printf(
                    "RM[%s]  Type: %s%s  State: %s%n",
                    Shown.text(connector, "connector"),
                    Shown.text(connector, "rmType"),
                    version(connector),
                    connector.path("silent").asBoolean() ? "Silent" : "Active");
            out.printf(
                    "  Last poll: %s (%s ago), number %s of epoch %s%n",
                    Shown.time(connector, "rmTime"),
                    Shown.span(connector, "silentSeconds"),
                    Shown.text(connector, "number"),
                    Shown.text(connector, "epoch"));
            out.printf(
                    "  Reports: %s nodes, %s jobs; records of this epoch: %s%n",
                    Shown.text(connector, "nodes"), Shown.text(connector, "jobs"), Shown.list(connector, "counts"));
            out.printf(
                    "  Commands: %s issued, %s finished%n",
                    Shown.text(connector, "issuedCommand"), Shown.text(connector, "lastCommand"));
        }
        out.printf("%nTotal RMs: %d%n", connectors.size());
    }
}
