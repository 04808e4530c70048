package io.weir.scheduler.core.policy.node;

import io.weir.scheduler.core.policy.language.value.NodeCategory;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How categories of nodes are found and reported.
 *
 * @param rules NODECATRULE in the order in which they are tried, before the built-in ones
 * @param labels NODECATCREDLIST: the label that each category is charged to; a category belongs to one at most
 * @param intervalSeconds PROFILEINTERVAL: length of a report interval, at least 1
 */
public record CategorySettings(List<Rule> rules, SortedMap<NodeCategory, String> labels, long intervalSeconds) {
    /** Settings of an empty configuration. */
    public static final CategorySettings DEFAULT = new CategorySettings(List.of(), Collections.emptySortedMap(), 3_600);

    /** Rules that are read at most. */
    public static final int MOST_RULES = 64;

    public CategorySettings {
        rules = List.copyOf(rules);
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /**
     * A rule that tells the cause of a failure from its text.
     *
     * @param name its name in the configuration, with its index
     * @param category category of a node whose text matches
     * @param expression what the text has to contain, in any case; RE2
     */
    public record Rule(String name, NodeCategory category, String expression) {}
}
