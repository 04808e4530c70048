package io.weir.scheduler.core.nodeset;

import java.util.BitSet;
import java.util.List;

/**
 * The sets that one attribute forms over the nodes of a cluster.
 *
 * @param names value that forms each set, in the order of sets
 * @param members positions of the nodes of each set; not to be written
 * @param union nodes that ANYOF leaves; not to be written
 * @param byAppearance whether sets come in the order in which the candidates first show them, instead of this one
 * @param speeds what is known of speeds; {@link SpeedClasses#NONE} for other attributes
 */
record FormedSets(List<String> names, List<BitSet> members, BitSet union, boolean byAppearance, SpeedClasses speeds) {
    /** Returns sets of an attribute other than speed; ANYOF leaves the nodes of all sets. */
    static FormedSets of(List<String> names, List<BitSet> members, boolean byAppearance) {
        BitSet union = new BitSet();
        members.forEach(union::or);
        return new FormedSets(names, members, union, byAppearance, SpeedClasses.NONE);
    }
}
