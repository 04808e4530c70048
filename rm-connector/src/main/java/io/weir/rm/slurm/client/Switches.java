package io.weir.rm.slurm.client;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The switches that nodes hang on directly (topology/tree). Immutable.
 *
 * @param byNode names of the switches by node; empty where Slurm knows of none
 */
public record Switches(Map<String, String> byNode) {
    /** No switch is known. */
    public static final Switches NONE = new Switches(Map.of());

    private static final Pattern TREE = Pattern.compile("(?mi)^TopologyPlugin\\s*=\\s*topology/tree\\s*$");
    private static final Pattern LEAF = Pattern.compile("(?m)^SwitchName=(\\S+)\\s+Level=0\\s(?:.*\\s)?Nodes=(\\S+)");

    public Switches {
        byNode = Map.copyOf(byNode);
    }

    /** Says whether there are any by what {@code scontrol show config} says. */
    static boolean areKnown(String config) {
        return TREE.matcher(config).find();
    }

    /** Reads what {@code scontrol show topology} says. */
    static Switches parse(String text) {
        Map<String, String> found = new TreeMap<>();
        Matcher leaf = LEAF.matcher(text);
        while (leaf.find()) {
            for (String node : HostList.expand(leaf.group(2))) {
                found.put(node, leaf.group(1));
            }
        }
        return new Switches(found);
    }

    /** Returns what stands for the switch of a node among its features; empty where none is known. */
    public Optional<String> feature(String node) {
        return Optional.ofNullable(byNode.get(node)).map(name -> "switch/" + name);
    }

    /** Returns on how many switches these nodes hang. */
    public long count(Collection<String> nodes) {
        return nodes.stream()
                .map(node -> byNode.getOrDefault(node, ""))
                .distinct()
                .count();
    }
}
