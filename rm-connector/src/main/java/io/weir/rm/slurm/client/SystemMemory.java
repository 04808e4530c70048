package io.weir.rm.slurm.client;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory of nodes that is kept for the system (MemSpecLimit), of which jobs get nothing. Older versions of slurmrestd do not tell
 * it. Immutable.
 *
 * @param megabytes by node; nodes that keep none are left out
 */
public record SystemMemory(Map<String, Long> megabytes) {
    /** No node keeps any. */
    public static final SystemMemory NONE = new SystemMemory(Map.of());

    private static final Pattern NODE = Pattern.compile("^NodeName=(\\S+)");
    private static final Pattern KEPT = Pattern.compile("\\sMemSpecLimit=(\\d{1,15})(?=\\s|$)");

    public SystemMemory {
        megabytes = Map.copyOf(megabytes);
    }

    /** Reads what {@code scontrol --oneliner show node} says. */
    static SystemMemory parse(String text) {
        Map<String, Long> found = new TreeMap<>();
        text.lines().forEach(line -> {
            Matcher node = NODE.matcher(line);
            Matcher kept = KEPT.matcher(line);
            if (node.find() && kept.find()) {
                found.put(node.group(1), Long.parseLong(kept.group(1)));
            }
        });
        return new SystemMemory(found);
    }

    /** Returns a node with the memory that jobs can be given. */
    public SlurmNode leftOf(SlurmNode node) {
        long kept = megabytes.getOrDefault(node.name(), 0L);
        return kept == 0 ? node : node.withMemory(Math.max(0, node.memoryMb() - kept));
    }
}
