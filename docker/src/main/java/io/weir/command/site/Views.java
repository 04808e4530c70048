package io.weir.command.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.weir.command.ExitCode;
import java.util.List;
import java.util.function.Predicate;

/**
 * The views of one cluster.
 *
 * @param site where they are
 * @param cluster the cluster
 */
record Views(Site site, String cluster) {
    /** Returns a view of everything of a kind. */
    JsonNode all(String view) {
        return site.view(cluster, view, "")
                .orElseThrow(() -> new SiteException(ExitCode.FAILED, "Nothing is known of cluster " + cluster));
    }

    /** Returns the objects of a view that {@code wanted} chooses. */
    ArrayNode some(String view, Predicate<JsonNode> wanted) {
        ArrayNode chosen = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : all(view)) {
            if (wanted.test(item)) {
                chosen.add(item);
            }
        }
        return chosen;
    }

    /** Returns the lines of the configuration in force about {@code parameter}. */
    List<String> configured(String parameter) {
        return PolicyLines.of(all("policy").path("text").asText(), parameter);
    }
}
