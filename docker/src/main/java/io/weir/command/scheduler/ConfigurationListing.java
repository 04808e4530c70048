package io.weir.command.scheduler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.format.TextTable;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.io.PrintWriter;
import java.util.List;

/** Lists the values of parameters that are in force, and where they come from. */
final class ConfigurationListing {
    private ConfigurationListing() {}

    /** Returns the values in JSON. */
    static ArrayNode values(List<PolicySettings.Effective> values) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        values.forEach(value -> array.addObject()
                .put("parameter", value.parameter())
                .put("value", value.text())
                .put(
                        "origin",
                        value.origin() == null ? "default" : value.origin().toString())
                .put("note", value.note()));
        return array;
    }

    /** Prints the values as a table. */
    static void print(List<PolicySettings.Effective> values, PrintWriter out) {
        TextTable table = new TextTable("Parameter", "Value", "Origin");
        values.forEach(value -> table.row(value.parameter(), value.text(), value.source()));
        table.print(out);
    }
}
