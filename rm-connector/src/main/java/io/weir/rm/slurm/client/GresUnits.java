package io.weir.rm.slurm.client;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;

/**
 * In what generic resources are counted: by ones, or where a node has very many of them, such as bytes of a local disk, by thousands,
 * millions … (of 1024), so that they stay within the bounds of reports. Immutable.
 *
 * @param sizes of a unit, by the name of the resource without its type; those that are counted by ones are left out
 */
public record GresUnits(Map<String, Long> sizes) {
    /** All are counted by ones. */
    public static final GresUnits ONES = new GresUnits(Map.of());

    private static final long STEP = 1_024;

    /** A node has no more units than this, of which reports take ten times as many. */
    private static final long MOST = 1_000_000_000;

    public GresUnits {
        sizes = Map.copyOf(sizes);
    }

    /** Returns the units in which none of these nodes has too many. */
    public static GresUnits of(Collection<SlurmNode> nodes) {
        Map<String, Long> sizes = new TreeMap<>();
        for (SlurmNode node : nodes) {
            node.gres().forEach((name, count) -> {
                if (count > MOST) {
                    sizes.merge(baseOf(name), size(count), Math::max);
                }
            });
        }
        return sizes.isEmpty() ? ONES : new GresUnits(sizes);
    }

    private static long size(long count) {
        long size = STEP;
        while (count / size > MOST) {
            size *= STEP;
        }
        return size;
    }

    private static String baseOf(String name) {
        return name.split(":", 2)[0];
    }

    /** Returns what a node has, in whole units. */
    public SortedMap<String, Long> whole(SortedMap<String, Long> counts) {
        return in(counts, (count, size) -> count / size);
    }

    /** Returns what a job asks for; a part of a unit counts as one. */
    SortedMap<String, Long> rounded(SortedMap<String, Long> counts) {
        return in(counts, (count, size) -> count / size + (count % size == 0 ? 0 : 1));
    }

    private SortedMap<String, Long> in(SortedMap<String, Long> counts, LongBinaryOperator divided) {
        if (sizes.isEmpty()) {
            return counts;
        }
        SortedMap<String, Long> units = new TreeMap<>(counts);
        units.replaceAll((name, count) -> divided.applyAsLong(count, sizes.getOrDefault(baseOf(name), 1L)));
        return units;
    }
}
