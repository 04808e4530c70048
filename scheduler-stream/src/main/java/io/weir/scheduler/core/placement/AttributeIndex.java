package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes have a feature, accept a class, belong to a partition and so on: one bit set of positions for each; and
 * which nodes have the same amounts, of which one is judged for all.
 */
public final class AttributeIndex {
    private static final BitSet NONE = new BitSet();

    /** Nodes with the same configured amounts. */
    static final class Kind {
        private final int[] members;

        private Kind(BitSet nodes) {
            members = nodes.stream().toArray();
        }

        /** Returns the position of one of them. */
        int first() {
            return members[0];
        }

        /** Takes all of them out of {@code nodes}. */
        void removeFrom(BitSet nodes) {
            for (int position : members) {
                nodes.clear(position);
            }
        }
    }

    /** What nodes of one kind have in common. */
    private record Amounts(
            Capacity configured,
            SortedMap<String, Long> gres,
            @Nullable Integer maxTasks) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Amounts amounts
                    && configured.equals(amounts.configured)
                    && gres.equals(amounts.gres)
                    && Objects.equals(maxTasks, amounts.maxTasks);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * configured.hashCode() + gres.hashCode()) + Objects.hashCode(maxTasks);
        }
    }

    private final Map<String, BitSet> features = new LinkedHashMap<>();
    private final Map<String, BitSet> networks = new LinkedHashMap<>();
    private final Map<String, BitSet> classes = new LinkedHashMap<>();
    private final Map<String, BitSet> archs = new LinkedHashMap<>();
    private final Map<String, BitSet> systems = new LinkedHashMap<>();
    private final Map<String, BitSet> partitions = new LinkedHashMap<>();

    /** Nodes that accept every class. */
    private final BitSet anyClass = new BitSet();

    /** Nodes that can run tasks at all; the node of floating resources cannot. */
    private final BitSet compute = new BitSet();

    private final List<Kind> kinds = new ArrayList<>();

    /** By position, the number of the kind of a node. */
    private final int[] kindAt;

    private boolean tracksMemory;
    private boolean tracksSwap;
    private boolean tracksDisk;
    private boolean limitsTasks;

    AttributeIndex(NodeTable nodes) {
        kindAt = new int[nodes.size()];
        Map<Amounts, BitSet> alike = new LinkedHashMap<>();
        for (int position = 0; position < nodes.size(); position++) {
            EffectiveNode node = nodes.at(position);
            add(position, node);
            if (compute.get(position)) {
                alike.computeIfAbsent(
                                new Amounts(node.configured(), node.gres(), node.maxTasks()), amounts -> new BitSet())
                        .set(position);
            }
        }
        for (BitSet those : alike.values()) {
            those.stream().forEach(position -> kindAt[position] = kinds.size());
            kinds.add(new Kind(those));
        }
    }

    /** Returns the nodes that can run tasks, by what they have. */
    List<Kind> kinds() {
        return kinds;
    }

    BitSet compute() {
        return compute;
    }

    /** Returns whether any node says how much memory it has. */
    boolean tracksMemory() {
        return tracksMemory;
    }

    /** Returns whether any node says how much swap it has. */
    boolean tracksSwap() {
        return tracksSwap;
    }

    /** Returns whether any node says how much disk it has. */
    boolean tracksDisk() {
        return tracksDisk;
    }

    /** Returns whether any node says how many tasks it takes. */
    boolean limitsTasks() {
        return limitsTasks;
    }

    BitSet feature(String name) {
        return features.getOrDefault(name, NONE);
    }

    BitSet network(String name) {
        return networks.getOrDefault(name.toLowerCase(Locale.ROOT), NONE);
    }

    BitSet arch(String name) {
        return archs.getOrDefault(name, NONE);
    }

    BitSet system(String name) {
        return systems.getOrDefault(name, NONE);
    }

    BitSet partition(String name) {
        return partitions.getOrDefault(name, NONE);
    }

    /** Returns the partitions in the order of their first node. */
    public Map<String, BitSet> partitions() {
        return partitions;
    }

    /** Returns the number of the kind of the node at {@code position}, which can run tasks. */
    int kindAt(int position) {
        return kindAt[position];
    }

    /** Adds to {@code into} the nodes of {@code among} that accept {@code jobClass}. */
    void accepting(String jobClass, BitSet among, BitSet into) {
        BitSet those = (BitSet) anyClass.clone();
        those.or(classes.getOrDefault(jobClass, NONE));
        those.and(among);
        into.or(those);
    }

    private void add(int position, EffectiveNode node) {
        if (node.id().equals(EffectiveNode.GLOBAL)) {
            return;
        }
        compute.set(position);
        tracksMemory |= node.configured().memoryMb() > 0;
        tracksSwap |= node.configured().swapMb() > 0;
        tracksDisk |= node.configured().diskMb() > 0;
        limitsTasks |= node.maxTasks() != null;
        node.features().forEach(name -> set(features, name, position));
        node.networks().forEach(name -> set(networks, name.toLowerCase(Locale.ROOT), position));
        set(partitions, node.partition(), position);
        String arch = node.arch();
        if (arch != null) {
            set(archs, arch, position);
        }
        String system = node.os();
        if (system != null) {
            set(systems, system, position);
        }
        if (node.classes().isEmpty()) {
            anyClass.set(position);
        } else {
            node.classes().keySet().forEach(name -> set(classes, name, position));
        }
    }

    private static void set(Map<String, BitSet> index, String name, int position) {
        index.computeIfAbsent(name, key -> new BitSet()).set(position);
    }
}
