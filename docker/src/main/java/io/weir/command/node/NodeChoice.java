package io.weir.command.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.weir.command.client.ClientException;
import io.weir.command.client.Views;
import io.weir.command.terminal.BadInputException;
import io.weir.command.terminal.ExitCode;
import io.weir.scheduler.core.node.EffectiveNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that the words of a command line mean.
 *
 * @param words names and expressions, in the order given
 */
record NodeChoice(List<String> words) {
    /**
     * Reads words, of which each may be several with commas between.
     *
     * @throws BadInputException when one makes no sense
     */
    static NodeChoice of(List<String> texts) {
        List<String> words = texts.stream()
                .flatMap(text -> NodeExpression.words(text).stream())
                .toList();
        words.forEach(NodeExpression::of);
        return new NodeChoice(words);
    }

    /**
     * Returns the nodes that are meant, each once, in the order in which they are named, with their views as far as these were
     * needed to find them. A name is taken as it is.
     *
     * @throws ClientException when an expression means no node
     */
    Map<String, JsonNode> among(Views views) {
        Map<String, JsonNode> known = new LinkedHashMap<>();
        if (!words.stream().allMatch(NodeExpression::isName)) {
            views.all("nodes").forEach(node -> known.put(node.path("nodeId").asText(), node));
            known.remove(EffectiveNode.GLOBAL);
        }
        Map<String, JsonNode> chosen = new LinkedHashMap<>();
        for (String word : words) {
            if (NodeExpression.isName(word)) {
                chosen.putIfAbsent(word, known.getOrDefault(word, MissingNode.getInstance()));
            } else {
                chosen.putAll(meant(word, known, views.cluster()));
            }
        }
        return chosen;
    }

    private static Map<String, JsonNode> meant(String word, Map<String, JsonNode> known, String cluster) {
        NodeExpression expression = NodeExpression.of(word);
        Map<String, JsonNode> meant = new LinkedHashMap<>(known);
        meant.keySet().removeIf(name -> !expression.meant().test(name));
        if (meant.isEmpty()) {
            throw new ClientException(
                    ExitCode.FAILED, "'" + word + "' means none of the " + known.size() + " nodes of " + cluster);
        }
        return meant;
    }
}
