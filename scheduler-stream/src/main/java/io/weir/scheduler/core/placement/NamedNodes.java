package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.node.NodeTable;
import java.util.BitSet;
import java.util.List;

/**
 * The positions of nodes named by lists. Those of the last list are kept: the requirements of a job share its list, and a
 * question about each of many nodes asks for the same one again and again.
 */
final class NamedNodes {
    private final NodeTable nodes;
    private List<String> names = List.of();
    private BitSet positions = new BitSet();

    NamedNodes(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Returns the positions of the nodes that {@code asked} names, as far as they are known; not to be written. */
    BitSet of(List<String> asked) {
        if (isOther(asked)) {
            positions = new BitSet();
            for (String name : asked) {
                int position = nodes.position(name);
                if (position >= 0) {
                    positions.set(position);
                }
            }
            names = asked;
        }
        return positions;
    }

    /** Returns whether {@code asked} is not the list asked for last; one that merely names the same is read anew. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isOther(List<String> asked) {
        return names != asked;
    }

    /** Forgets the last list: the nodes lie otherwise. */
    void clear() {
        names = List.of();
        positions = new BitSet();
    }
}
