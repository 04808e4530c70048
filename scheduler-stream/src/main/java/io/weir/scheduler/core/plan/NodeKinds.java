package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster's nodes have in common, so that a request is compared with one node of a kind instead of all: amounts of
 * every resource, processors that one job may have, whether a node takes one task only, partitions, and which nodes anything can be planned on. Valid for
 * one configuration of the nodes. Immutable.
 */
final class NodeKinds {
    /** What tells kinds apart: the amounts from {@code from} to before {@code to}, and who shares a node. */
    private static final class Kind {
        private final int[] amounts;
        private final int from;
        private final int to;
        private final int procsOfOneJob;
        private final boolean singleTask;

        Kind(int[] amounts, int from, int to, int procsOfOneJob, boolean singleTask) {
            this.amounts = amounts;
            this.from = from;
            this.to = to;
            this.procsOfOneJob = procsOfOneJob;
            this.singleTask = singleTask;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Kind kind
                    && singleTask == kind.singleTask
                    && procsOfOneJob == kind.procsOfOneJob
                    && Arrays.equals(amounts, from, to, kind.amounts, kind.from, kind.to);
        }

        @Override
        public int hashCode() {
            int hash = 31 * procsOfOneJob + (singleTask ? 1 : 0);
            for (int i = from; i < to; i++) {
                hash = 31 * hash + amounts[i];
            }
            return hash;
        }
    }

    private final int[] kindAt;

    /** Position of one node of each kind. */
    private final int[] first;

    private final SortedMap<String, BitSet> partitions = new TreeMap<>();
    private final BitSet plannable = new BitSet();

    NodeKinds(NodeTable nodes, NodeResources resources) {
        int size = nodes.size();
        int count = resources.count();
        kindAt = new int[size];
        Map<Kind, Integer> known = new LinkedHashMap<>();
        int[] found = new int[size];
        for (int position = 0; position < size; position++) {
            boolean single = nodes.at(position).access() == NodeAccessPolicy.SINGLETASK;
            Kind kind = new Kind(
                    resources.capacity(),
                    position * count,
                    (position + 1) * count,
                    resources.procsOfOneJob(position),
                    single);
            Integer number = known.putIfAbsent(kind, known.size());
            if (number == null) {
                found[known.size() - 1] = position;
            }
            kindAt[position] = number == null ? known.size() - 1 : number;
            plannable.set(position, nodes.at(position).plannable());
            partitions
                    .computeIfAbsent(nodes.at(position).partition(), name -> new BitSet())
                    .set(position);
        }
        first = Arrays.copyOf(found, known.size());
    }

    /** Returns the nodes of each partition that are in {@code any}, by name; of partitions without one nothing. */
    SortedMap<String, BitSet> byPartition(BitSet any) {
        SortedMap<String, BitSet> members = new TreeMap<>();
        for (Map.Entry<String, BitSet> partition : partitions.entrySet()) {
            if (partition.getValue().intersects(any)) {
                BitSet those = (BitSet) partition.getValue().clone();
                those.and(any);
                members.put(partition.getKey(), those);
            }
        }
        return members;
    }

    /** Returns those of {@code nodes} that anything can be planned on. */
    BitSet plannable(BitSet nodes) {
        BitSet those = (BitSet) nodes.clone();
        those.and(plannable);
        return those;
    }

    /** Returns how many of {@code nodes} are of each kind. */
    int[] tally(BitSet nodes) {
        int[] tally = new int[first.length];
        for (int position = nodes.nextSetBit(0); position >= 0; position = nodes.nextSetBit(position + 1)) {
            tally[kindAt[position]]++;
        }
        return tally;
    }

    /** Returns the kinds of which {@code tally} counts any. */
    int[] counted(int[] tally) {
        int[] counted = new int[tally.length];
        int count = 0;
        for (int kind = 0; kind < tally.length; kind++) {
            if (tally[kind] > 0) {
                counted[count++] = kind;
            }
        }
        return Arrays.copyOf(counted, count);
    }

    /** Returns the position of one node of each kind that {@code tally} counts. */
    int[] examples(int[] tally) {
        int[] examples = counted(tally);
        Arrays.setAll(examples, i -> first[examples[i]]);
        return examples;
    }

    /** Returns the position of one node of {@code kind}. */
    int example(int kind) {
        return first[kind];
    }
}
