package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import java.util.BitSet;
import java.util.List;

/**
 * All sets that one attribute, list and tolerance form over the nodes of a cluster, whether or not their nodes could run
 * anything. Made once for a layout of the nodes; the sets of a node are then found by its position, without reading any
 * of its attributes again. Immutable.
 */
final class SetFamily {
    private static final int[] NO_SETS = {};

    private final FormedSets formed;
    private final int[][] setsOf;
    private final boolean disjoint;

    /**
     * What tells families apart.
     *
     * @param attribute what forms a set
     * @param list values in order; empty for all found
     * @param tolerance how far speeds may differ
     */
    record Key(NodeSetAttribute attribute, List<String> list, double tolerance) {}

    SetFamily(NodeTable nodes, Key key) {
        formed = switch (key.attribute()) {
            case FEATURE -> NamedSets.byFeature(nodes, key.list());
            case NETWORK -> NamedSets.byNetwork(nodes, key.list());
            case ARCH -> NamedSets.byArch(nodes, key.list());
            case CLASS -> NamedSets.byClass(nodes, key.list());
            case MEMORY -> MemorySets.form(nodes, key.list());
            case PROCSPEED -> SpeedSets.form(nodes, key.list(), key.tolerance());
        };
        setsOf = new int[nodes.size()][];
        disjoint = fillSetsOf();
    }

    /** Returns how many sets there are. */
    int size() {
        return formed.members().size();
    }

    /** Returns the value that forms the set. */
    String name(int set) {
        return formed.names().get(set);
    }

    /** Returns the positions of the set's nodes; not to be written. */
    BitSet members(int set) {
        return formed.members().get(set);
    }

    /** Returns the sets of the node at {@code position}, ascending; not to be written. */
    int[] setsOf(int position) {
        return setsOf[position];
    }

    /** Returns the nodes that ANYOF leaves; not to be written. */
    BitSet union() {
        return formed.union();
    }

    /** Returns whether no node is in two sets. */
    boolean disjoint() {
        return disjoint;
    }

    /** Returns whether sets come in the order in which the candidates first show them, not in an order of values. */
    boolean orderedByAppearance() {
        return formed.byAppearance();
    }

    /** Returns whether a set exists only while a candidate has exactly its lowest speed: where no speeds are listed. */
    boolean growsFromBase() {
        return formed.speeds().growing();
    }

    /** Returns the speeds and what each set holds of them; {@link SpeedClasses#NONE} for other attributes. */
    SpeedClasses speeds() {
        return formed.speeds();
    }

    private boolean fillSetsOf() {
        int[] counts = new int[setsOf.length];
        for (BitSet set : formed.members()) {
            set.stream().forEach(position -> counts[position]++);
        }
        boolean apart = true;
        for (int position = 0; position < setsOf.length; position++) {
            setsOf[position] = counts[position] == 0 ? NO_SETS : new int[counts[position]];
            apart &= counts[position] <= 1;
            counts[position] = 0;
        }
        for (int set = 0; set < size(); set++) {
            BitSet nodes = members(set);
            for (int position = nodes.nextSetBit(0); position >= 0; position = nodes.nextSetBit(position + 1)) {
                setsOf[position][counts[position]++] = set;
            }
        }
        return apart;
    }
}
