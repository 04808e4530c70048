package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.node.NodeTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/** Forms a set for each amount of configured memory: the listed amounts, or all found, ascending. */
final class MemorySets {
    private MemorySets() {}

    /** Forms the sets; a listed text that is no number forms an empty one. */
    static FormedSets form(NodeTable nodes, List<String> listed) {
        List<Long> amounts = listed.isEmpty()
                ? found(nodes)
                : listed.stream().map(ListedNumber::of).toList();
        List<String> names = new ArrayList<>();
        List<BitSet> members = new ArrayList<>();
        for (long amount : amounts) {
            BitSet equal = new BitSet();
            for (int position = 0; position < nodes.size(); position++) {
                equal.set(
                        position, amount > 0 && nodes.at(position).configured().memoryMb() == amount);
            }
            names.add(Long.toString(amount));
            members.add(equal);
        }
        return FormedSets.of(names, members, false);
    }

    private static List<Long> found(NodeTable nodes) {
        TreeSet<Long> found = new TreeSet<>();
        for (int position = 0; position < nodes.size(); position++) {
            found.add(nodes.at(position).configured().memoryMb());
        }
        found.remove(0L);
        return List.copyOf(found);
    }
}
