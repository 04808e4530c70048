package io.weir.command.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.terminal.ExitCode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The views of one cluster.
 *
 * @param client where they are read
 * @param cluster the cluster
 */
public record Views(ClusterClient client, String cluster) {
    /** Returns a view of everything of a kind. */
    public JsonNode all(String view) {
        return client.view(cluster, view, "")
                .orElseThrow(() -> new ClientException(ExitCode.FAILED, "Nothing is known of cluster " + cluster));
    }

    /** Returns the view {@code queue} or {@code jobs}, with those jobs that {@code query} chooses. */
    public JsonNode jobs(String view, JobQuery query) {
        return client.jobs(cluster, view, query)
                .orElseThrow(() -> new ClientException(ExitCode.FAILED, "Nothing is known of cluster " + cluster));
    }

    /** Returns the objects of a view that {@code wanted} chooses. */
    public ArrayNode some(String view, Predicate<JsonNode> wanted) {
        ArrayNode chosen = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : all(view)) {
            if (wanted.test(item)) {
                chosen.add(item);
            }
        }
        return chosen;
    }

    /**
     * Fails when no node is in {@code partition}, so that a slip of the pen does not look like an empty machine. To whom
     * nodes are not shown it is not told.
     */
    public void requirePartition(@Nullable String partition) {
        if (partition == null || partition.isEmpty()) {
            return;
        }
        Set<String> known = new TreeSet<>();
        try {
            all("nodes").forEach(node -> known.add(node.path("partition").asText()));
        } catch (ClientException e) {
            if (e.exitCode() == ExitCode.NOT_PERMITTED) {
                return;
            }
            throw e;
        }
        if (!known.isEmpty() && !known.contains(partition)) {
            throw new ClientException(
                    ExitCode.FAILED,
                    "cannot locate partition '" + partition + "' on " + cluster + "; there are "
                            + String.join(", ", known));
        }
    }

    /** Returns the lines of the configuration in force about {@code parameter}. */
    public List<String> configured(String parameter) {
        return PolicyLines.of(all("policy").path("text").asText(), parameter);
    }
}
