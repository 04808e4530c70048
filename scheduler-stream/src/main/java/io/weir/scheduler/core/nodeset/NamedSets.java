package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Forms a set for each name that nodes carry: FEATURE, NETWORK, ARCH and CLASS. Where no names are listed, sets come in
 * the order in which the candidates first show them.
 */
final class NamedSets {
    private NamedSets() {}

    /** Reads the names a node carries; null when it belongs to every set. */
    @FunctionalInterface
    interface Names {
        @Nullable
        List<String> of(EffectiveNode node);
    }

    /** Forms a set for each feature; the pseudo-node of the whole cluster belongs to all. */
    static FormedSets byFeature(NodeTable nodes, List<String> listed) {
        return form(nodes, listed, node -> node.id().equals(EffectiveNode.GLOBAL) ? null : node.features());
    }

    /** Forms a set for each network interface, whatever its case. */
    static FormedSets byNetwork(NodeTable nodes, List<String> listed) {
        return form(nodes, lowerCase(listed), node -> lowerCase(node.networks()));
    }

    /** Forms a set for each architecture. */
    static FormedSets byArch(NodeTable nodes, List<String> listed) {
        return form(nodes, listed, node -> {
            String arch = node.arch();
            return arch == null ? List.of() : List.of(arch);
        });
    }

    /** Forms a set for each class; a node that restricts no class belongs to all. */
    static FormedSets byClass(NodeTable nodes, List<String> listed) {
        return form(
                nodes,
                listed,
                node -> node.classes().isEmpty()
                        ? null
                        : List.copyOf(node.classes().keySet()));
    }

    private static FormedSets form(NodeTable nodes, List<String> listed, Names names) {
        Map<String, BitSet> byName = new LinkedHashMap<>();
        listed.forEach(name -> byName.put(name, new BitSet()));
        BitSet everywhere = new BitSet();
        for (int position = 0; position < nodes.size(); position++) {
            List<String> values = names.of(nodes.at(position));
            if (values == null) {
                everywhere.set(position);
                continue;
            }
            for (String value : values) {
                BitSet set = listed.isEmpty() ? byName.computeIfAbsent(value, name -> new BitSet()) : byName.get(value);
                if (set != null) {
                    set.set(position);
                }
            }
        }
        List<BitSet> members = new ArrayList<>(byName.values());
        members.forEach(set -> set.or(everywhere));
        return FormedSets.of(List.copyOf(byName.keySet()), members, listed.isEmpty());
    }

    private static List<String> lowerCase(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }
}
