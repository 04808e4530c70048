package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.node.NodeTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/**
 * Forms sets of processor speeds: each grows from its lowest speed, its base, up to the tolerance. Bases are the listed
 * speeds, or all that are found. Used once.
 */
final class SpeedSets {
    private final List<String> listed;
    private final double tolerance;
    private final int[] speeds;
    private final int[] speedOf;
    private final List<BitSet> members = new ArrayList<>();
    private final List<Long> bases = new ArrayList<>();

    private SpeedSets(NodeTable nodes, List<String> listed, double tolerance) {
        this.listed = listed;
        this.tolerance = tolerance;
        speeds = speeds(nodes);
        speedOf = new int[nodes.size()];
        for (int position = 0; position < speedOf.length; position++) {
            Integer speed = nodes.at(position).procSpeedMhz();
            speedOf[position] = speed != null && speed > 0 ? Arrays.binarySearch(speeds, speed) : -1;
        }
    }

    /** Forms the sets; a listed text that is no speed forms none. */
    static FormedSets form(NodeTable nodes, List<String> listed, double tolerance) {
        return new SpeedSets(nodes, listed, tolerance).form();
    }

    private FormedSets form() {
        long[] wanted = listed.isEmpty()
                ? Arrays.stream(speeds).asLongStream().toArray()
                : listed.stream()
                        .mapToLong(ListedNumber::of)
                        .filter(base -> base > 0)
                        .toArray();
        for (long base : wanted) {
            add(base, within(base));
        }
        BitSet union = new BitSet();
        members.forEach(union::or);
        if (!listed.isEmpty()) {
            union.or(between(wanted));
        }
        return new FormedSets(
                bases.stream().map(String::valueOf).toList(),
                members,
                union,
                false,
                new SpeedClasses(
                        speeds,
                        speedOf,
                        bases.stream().mapToLong(Long::longValue).toArray(),
                        tolerance,
                        listed.isEmpty()));
    }

    private BitSet within(long base) {
        BitSet within = new BitSet();
        for (int position = 0; position < speedOf.length; position++) {
            if (speedOf[position] >= 0) {
                long speed = speeds[speedOf[position]];
                within.set(position, speed >= base && SpeedClasses.near(base, speed, tolerance));
            }
        }
        return within;
    }

    /** Adds the set that grows from {@code base}; of two with the same nodes the lower base stays. */
    private void add(long base, BitSet within) {
        int same = within.isEmpty() ? -1 : members.indexOf(within);
        if (same < 0) {
            bases.add(base);
            members.add(within);
        } else if (base < bases.get(same)) {
            bases.set(same, base);
        }
    }

    /** Returns the nodes between the lowest and the highest of {@code wanted}, both widened by the tolerance. */
    private BitSet between(long[] wanted) {
        long lowest = Arrays.stream(wanted).min().orElse(Long.MAX_VALUE);
        long highest = Arrays.stream(wanted).max().orElse(0);
        BitSet between = new BitSet();
        for (int position = 0; position < speedOf.length; position++) {
            if (speedOf[position] >= 0) {
                long speed = speeds[speedOf[position]];
                boolean above = speed >= lowest || SpeedClasses.near(speed, lowest, tolerance);
                boolean below = speed <= highest || SpeedClasses.near(highest, speed, tolerance);
                between.set(position, above && below);
            }
        }
        return between;
    }

    private static int[] speeds(NodeTable nodes) {
        TreeSet<Integer> found = new TreeSet<>();
        for (int position = 0; position < nodes.size(); position++) {
            Integer speed = nodes.at(position).procSpeedMhz();
            if (speed != null && speed > 0) {
                found.add(speed);
            }
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }
}
