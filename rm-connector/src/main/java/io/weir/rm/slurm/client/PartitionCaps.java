package io.weir.rm.slurm.client;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How many processors of each node the jobs of a partition may have together (MaxCPUsPerNode). Immutable.
 *
 * @param procs by partition; partitions without a cap are left out
 */
public record PartitionCaps(Map<String, Integer> procs) {
    /** No partition has any. */
    public static final PartitionCaps NONE = new PartitionCaps(Map.of());

    private static final Pattern PARTITION = Pattern.compile("^PartitionName=(\\S+)");
    private static final Pattern CAP = Pattern.compile("\\sMaxCPUsPerNode=(\\d{1,9})(?=\\s|$)");

    public PartitionCaps {
        procs = Map.copyOf(procs);
    }

    /** Reads what {@code scontrol --oneliner show partition} says. */
    static PartitionCaps parse(String text) {
        Map<String, Integer> found = new TreeMap<>();
        text.lines().forEach(line -> {
            Matcher partition = PARTITION.matcher(line);
            Matcher cap = CAP.matcher(line);
            if (partition.find() && cap.find()) {
                found.put(partition.group(1), Integer.parseInt(cap.group(1)));
            }
        });
        return new PartitionCaps(found);
    }

    /**
     * Returns what stands for the processors that the jobs of a partition may have of a node, as a generic resource that each of
     * its nodes has so much of; null for a partition without a cap.
     */
    public @Nullable String resource(String partition) {
        return procs.containsKey(partition) ? "MaxCPUsPerNode:" + partition : null;
    }

    /**
     * Returns how many processors of a node the jobs of that one of these partitions may have that gives most; Integer.MAX_VALUE for
     * all.
     */
    public int most(Collection<String> partitions) {
        return partitions.stream()
                .mapToInt(partition -> of(partition, Integer.MAX_VALUE))
                .max()
                .orElse(Integer.MAX_VALUE);
    }

    /** Returns how many of so many processors of a node the jobs of a partition may have together. */
    public int of(String partition, int all) {
        return Math.min(all, procs.getOrDefault(partition, all));
    }
}
