package io.weir.command.diagnose;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.command.client.ClientException;
import io.weir.command.client.PolicyLines;
import io.weir.command.client.Views;
import io.weir.command.format.FieldText;
import io.weir.command.format.TextTable;
import io.weir.command.terminal.ExitCode;
import java.io.PrintWriter;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Partitions, their nodes and configuration.
 *
 * @param name only this one; null for all
 */
record PartitionDiagnosis(@Nullable String name) implements DiagnosisReport {
    @Override
    public String what() {
        return "partition";
    }

    @Override
    public JsonNode read(Views views) {
        SortedMap<String, long[]> sums = new TreeMap<>();
        for (JsonNode node : views.all("nodes")) {
            String partition = FieldText.text(node, "partition");
            if (name == null || name.equals(partition)) {
                long[] sum = sums.computeIfAbsent(partition, key -> new long[4]);
                sum[0]++;
                sum[1] += node.path("state").asText().equals("DOWN") ? 0 : 1;
                sum[2] += node.path("procs").asLong();
                sum[3] += node.path("freeProcs").asLong();
            }
        }
        if (name != null && sums.isEmpty()) {
            throw new ClientException(ExitCode.FAILED, "cannot locate partition '" + name + "'");
        }
        ObjectNode read = JsonNodeFactory.instance.objectNode();
        ArrayNode partitions = read.putArray("partitions");
        sums.forEach((partition, sum) -> partitions
                .addObject()
                .put("partition", partition)
                .put("nodes", sum[0])
                .put("nodesUp", sum[1])
                .put("procs", sum[2])
                .put("freeProcs", sum[3]));
        ArrayNode configuration = read.putArray("configuration");
        views.configured("PARCFG").forEach(configuration::add);
        return read;
    }

    @Override
    public void print(JsonNode read, PrintWriter out) {
        TextTable table = new TextTable("Partition", ">Nodes", ">Up", ">Procs", ">Free");
        for (JsonNode partition : read.path("partitions")) {
            table.row(
                    FieldText.text(partition, "partition"),
                    FieldText.text(partition, "nodes"),
                    FieldText.text(partition, "nodesUp"),
                    FieldText.text(partition, "procs"),
                    FieldText.text(partition, "freeProcs"));
        }
        table.print(out);
        PolicyLines.print(read.path("configuration"), out);
    }
}
