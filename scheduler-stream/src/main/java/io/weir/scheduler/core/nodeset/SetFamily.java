package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.NodeSetAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * All sets that one attribute, list and tolerance form over the nodes of a cluster, whether or not their nodes could run
 * anything. Made once for a layout of the nodes; the sets of a node are then found by its position, without reading any
 * of its attributes again. Immutable.
 */
final class SetFamily {
    /** Speeds closer than this, relative to the slower one, are not told apart. */
    private static final double SLACK = 1e-9;

    /** Base of a set that has none. */
    private static final long NO_BASE = -1;

    /**
     * What tells families apart.
     *
     * @param attribute what forms a set
     * @param list values in order; empty for all found
     * @param tolerance how far speeds may differ
     */
    record Key(NodeSetAttribute attribute, List<String> list, double tolerance) {}

    private static final int[] NO_SETS = {};

    private final NodeSetAttribute attribute;
    private final boolean listed;
    private final double tolerance;
    private final List<String> names = new ArrayList<>();
    private final List<BitSet> members = new ArrayList<>();
    private final List<Long> bases = new ArrayList<>();
    private final int[][] setsOf;
    private final boolean disjoint;

    /** Nodes in a set, or with a speed in the range of the listed ones: what ANYOF leaves. */
    private final BitSet union = new BitSet();

    /** Distinct speeds, ascending; empty for other attributes. */
    private final int[] speeds;

    /** By position, the place of its speed in {@link #speeds}, or -1. */
    private final int[] speedOf;

    SetFamily(NodeTable nodes, Key key) {
        attribute = key.attribute();
        listed = !key.list().isEmpty();
        tolerance = key.tolerance();
        speedOf = new int[nodes.size()];
        speeds = attribute == NodeSetAttribute.PROCSPEED ? speeds(nodes) : NO_SETS;
        switch (attribute) {
            case PROCSPEED -> formBySpeed(nodes, key);
            case MEMORY -> formByMemory(nodes, key);
            case FEATURE, NETWORK, ARCH, CLASS -> formByName(nodes, key);
        }
        members.forEach(union::or);
        setsOf = new int[nodes.size()][];
        disjoint = fillSetsOf();
    }

    /** Returns how many sets there are. */
    int size() {
        return members.size();
    }

    /** Returns the value that forms the set. */
    String name(int set) {
        return names.get(set);
    }

    /** Returns the positions of the set's nodes; not to be written. */
    BitSet members(int set) {
        return members.get(set);
    }

    /** Returns the sets of the node at {@code position}, ascending; not to be written. */
    int[] setsOf(int position) {
        return setsOf[position];
    }

    /** Returns the nodes that ANYOF leaves; not to be written. */
    BitSet union() {
        return union;
    }

    /** Returns whether no node is in two sets. */
    boolean disjoint() {
        return disjoint;
    }

    /** Returns whether sets come in the order in which the nodes at hand first show them, and not in an order of values. */
    boolean orderedByAppearance() {
        return !listed && attribute != NodeSetAttribute.PROCSPEED && attribute != NodeSetAttribute.MEMORY;
    }

    /**
     * Returns whether the set exists only while a node at hand has exactly its speed: with a tolerance and no list, sets
     * grow out of the speeds that are present.
     */
    boolean growsFromBase() {
        return !listed && attribute == NodeSetAttribute.PROCSPEED;
    }

    /** Returns the lowest speed in the set, MHz; only for speeds. */
    long base(int set) {
        return bases.get(set);
    }

    /** Returns the distinct speeds, MHz, ascending; not to be written. */
    int[] speeds() {
        return speeds;
    }

    /** Returns whether the speed at {@code place}, not below its base, belongs to the set. */
    boolean holdsSpeed(int set, int place) {
        return near(bases.get(set), speeds[place], tolerance);
    }

    /** Returns the place in {@link #speeds} of the speed of the node at {@code position}, or -1. */
    int speedOf(int position) {
        return speedOf[position];
    }

    private void formBySpeed(NodeTable nodes, Key key) {
        List<Long> wanted = new ArrayList<>();
        if (listed) {
            key.list().forEach(text -> wanted.add(number(text)));
        } else {
            for (int speed : speeds) {
                wanted.add((long) speed);
            }
        }
        long lowest = Long.MAX_VALUE;
        long highest = 0;
        for (int i = 0; i < wanted.size(); i++) {
            long base = wanted.get(i);
            if (base <= 0) {
                continue;
            }
            lowest = Math.min(lowest, base);
            highest = Math.max(highest, base);
            BitSet within = new BitSet();
            for (int position = 0; position < nodes.size(); position++) {
                if (speedOf[position] >= 0) {
                    long speed = speeds[speedOf[position]];
                    if (speed >= base && near(base, speed, tolerance)) {
                        within.set(position);
                    }
                }
            }
            addSpeedSet(base, within);
        }
        for (int position = 0; position < nodes.size() && listed; position++) {
            if (speedOf[position] >= 0) {
                long speed = speeds[speedOf[position]];
                boolean above = speed >= lowest || near(speed, lowest, tolerance);
                boolean below = speed <= highest || near(highest, speed, tolerance);
                union.set(position, above && below);
            }
        }
    }

    /** Adds the set that grows from {@code base}; of two with the same nodes the lower base stays. */
    private void addSpeedSet(long base, BitSet within) {
        int same = within.isEmpty() ? -1 : members.indexOf(within);
        if (same < 0) {
            add(Long.toString(base), base, within);
        } else if (base < bases.get(same)) {
            names.set(same, Long.toString(base));
            bases.set(same, base);
        }
    }

    private void formByMemory(NodeTable nodes, Key key) {
        TreeSet<Long> found = new TreeSet<>();
        for (int position = 0; position < nodes.size(); position++) {
            found.add(nodes.at(position).configured().memoryMb());
        }
        found.remove(0L);
        List<Long> wanted = listed ? key.list().stream().map(SetFamily::number).toList() : List.copyOf(found);
        for (long amount : wanted) {
            BitSet equal = new BitSet();
            for (int position = 0; position < nodes.size(); position++) {
                equal.set(
                        position, amount > 0 && nodes.at(position).configured().memoryMb() == amount);
            }
            add(Long.toString(amount), NO_BASE, equal);
        }
    }

    private void formByName(NodeTable nodes, Key key) {
        Map<String, BitSet> byName = new LinkedHashMap<>();
        key.list().forEach(name -> byName.put(normal(name), new BitSet()));
        BitSet everywhere = new BitSet();
        for (int position = 0; position < nodes.size(); position++) {
            EffectiveNode node = nodes.at(position);
            if (attribute == NodeSetAttribute.FEATURE && node.id().equals(EffectiveNode.GLOBAL)) {
                everywhere.set(position);
                continue;
            }
            if (attribute == NodeSetAttribute.CLASS && node.classes().isEmpty()) {
                everywhere.set(position);
                continue;
            }
            for (String value : values(node)) {
                BitSet set = listed
                        ? byName.get(normal(value))
                        : byName.computeIfAbsent(normal(value), name -> new BitSet());
                if (set != null) {
                    set.set(position);
                }
            }
        }
        byName.forEach((name, set) -> {
            set.or(everywhere);
            add(name, NO_BASE, set);
        });
    }

    private List<String> values(EffectiveNode node) {
        return switch (attribute) {
            case FEATURE -> node.features();
            case NETWORK -> node.networks();
            case CLASS -> List.copyOf(node.classes().keySet());
            case ARCH -> {
                String arch = node.arch();
                yield arch == null ? List.of() : List.of(arch);
            }
            case PROCSPEED, MEMORY -> List.of();
        };
    }

    /** Network interfaces are told apart without regard to case. */
    private String normal(String value) {
        return attribute == NodeSetAttribute.NETWORK ? value.toLowerCase(Locale.ROOT) : value;
    }

    private void add(String name, long base, BitSet nodes) {
        names.add(name);
        bases.add(base);
        members.add(nodes);
    }

    private int[] speeds(NodeTable nodes) {
        TreeSet<Integer> found = new TreeSet<>();
        for (int position = 0; position < nodes.size(); position++) {
            Integer speed = nodes.at(position).procSpeedMhz();
            if (speed != null && speed > 0) {
                found.add(speed);
            }
        }
        int[] ascending = found.stream().mapToInt(Integer::intValue).toArray();
        for (int position = 0; position < nodes.size(); position++) {
            Integer speed = nodes.at(position).procSpeedMhz();
            speedOf[position] = speed != null && speed > 0 ? Arrays.binarySearch(ascending, speed) : -1;
        }
        return ascending;
    }

    private boolean fillSetsOf() {
        int[] counts = new int[setsOf.length];
        for (BitSet set : members) {
            set.stream().forEach(position -> counts[position]++);
        }
        boolean apart = true;
        for (int position = 0; position < setsOf.length; position++) {
            setsOf[position] = counts[position] == 0 ? NO_SETS : new int[counts[position]];
            apart &= counts[position] <= 1;
            counts[position] = 0;
        }
        for (int set = 0; set < members.size(); set++) {
            BitSet nodes = members.get(set);
            for (int position = nodes.nextSetBit(0); position >= 0; position = nodes.nextSetBit(position + 1)) {
                setsOf[position][counts[position]++] = set;
            }
        }
        return apart;
    }

    private static boolean near(long slower, long faster, double tolerance) {
        return (faster - slower) / (double) slower <= tolerance + SLACK;
    }

    /** Returns the number {@code text} stands for, 0 when it is none. */
    private static long number(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 9;
        for (int i = 0; i < text.length() && digits; i++) {
            digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return digits ? Long.parseLong(text) : 0;
    }
}
