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
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Partitions, their nodes and configuration.
 *
 * @param name only this one; null for all
 * @param verbose whether each node gets a line
 */
record PartitionDiagnosis(@Nullable String name, boolean verbose) implements DiagnosisReport {
    private static final Set<String> OUT = Set.of("DOWN", "REMOVED", "UNKNOWN");

    @Override
    public String what() {
        return "partition";
    }

    @Override
    public JsonNode read(Views views) {
        SortedMap<String, long[]> sums = new TreeMap<>();
        ArrayNode hosts = JsonNodeFactory.instance.arrayNode();
        for (JsonNode node : views.all("nodes")) {
            String partition = FieldText.text(node, "partition");
            if (name == null || name.equals(partition)) {
                long[] sum = sums.computeIfAbsent(partition, key -> new long[4]);
                sum[0]++;
                sum[1] += node.path("state").asText().equals("DOWN") ? 0 : 1;
                sum[2] += node.path("procs").asLong();
                sum[3] += node.path("freeProcs").asLong();
                hosts.add(host(node, partition));
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
        if (verbose) {
            read.set("hosts", hosts);
        }
        ArrayNode configuration = read.putArray("configuration");
        views.configured("PARCFG").forEach(configuration::add);
        return read;
    }

    /** Returns a node by its processors: allocated, idle, others and all. What is out of service has others alone. */
    private static ObjectNode host(JsonNode node, String partition) {
        String state = node.path("state").asText();
        long procs = node.path("procs").asLong();
        long free = node.path("freeProcs").asLong();
        boolean out = OUT.contains(state);
        long used = Math.max(0, procs - free);
        long idle = out || state.startsWith("DRAIN") ? 0 : free;
        if (out) {
            used = 0;
        }
        boolean plain = !out && !state.startsWith("DRAIN");
        String shown = !plain ? state : used == 0 ? "IDLE" : idle == 0 ? "ALLOCATED" : "MIXED";
        return JsonNodeFactory.instance
                .objectNode()
                .put("partition", partition)
                .put("nodeId", FieldText.text(node, "nodeId"))
                .put("state", shown.toLowerCase(Locale.ROOT))
                .put("allocated", used)
                .put("idle", idle)
                .put("other", procs - used - idle)
                .put("procs", procs);
    }

    /** Prints the nodes as sinfo does with partition, host, state and processors; the default partition has a star. */
    private static void printHosts(JsonNode read, PrintWriter out) {
        boolean only = read.path("partitions").size() == 1;
        TextTable table = new TextTable("PARTITION", "HOSTNAMES", "STATE", "CPUS(A/I/O/T)");
        for (JsonNode host : read.path("hosts")) {
            String partition = FieldText.text(host, "partition");
            table.row(
                    partition + (only || partition.equals("DEFAULT") ? "*" : ""),
                    FieldText.text(host, "nodeId"),
                    FieldText.text(host, "state"),
                    host.path("allocated").asLong() + "/" + host.path("idle").asLong() + "/"
                            + host.path("other").asLong() + "/"
                            + host.path("procs").asLong());
        }
        table.print(out);
    }

    @Override
    public void print(JsonNode read, PrintWriter out) {
        if (verbose) {
            printHosts(read, out);
            return;
        }
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
