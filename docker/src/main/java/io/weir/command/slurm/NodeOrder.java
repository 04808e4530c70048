package io.weir.command.slurm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which nodes a Slurm cluster takes first, as parameters of Weir's: those of the least weight, then the least loaded, or by name. */
final class NodeOrder {
    /** Counts more than any number of idle processors. */
    private static final long OVER_PROCESSORS = 1_000_000;

    private NodeOrder() {}

    /**
     * Returns the parameters.
     *
     * @param config what the controller runs with
     * @param partitions its partitions
     * @param weights the weight of each node, in the order of the nodes
     */
    static List<String> lines(Controller config, List<RankedPartition> partitions, Map<String, Long> weights) {
        boolean byLoad =
                config.value("SelectTypeParameters").toUpperCase(Locale.ROOT).contains("CR_LLN")
                        || partitions.stream().anyMatch(RankedPartition::leastLoaded);
        long heaviest =
                weights.values().stream().mapToLong(Long::longValue).max().orElse(1);
        long lightest =
                weights.values().stream().mapToLong(Long::longValue).min().orElse(1);
        List<String> lines = new ArrayList<>();
        if (heaviest == lightest && !byLoad) {
            lines.add("# Nodes in the order of slurm.conf.");
            lines.add("NODEALLOCATIONPOLICY FIRSTAVAILABLE");
            return lines;
        }
        lines.add("# Nodes that are preferred (--prefer) first"
                + (heaviest == lightest ? "" : ", then those of the least Weight")
                + (byLoad ? ", then those with the most idle processors (LLN)." : "."));
        lines.add("NODEALLOCATIONPOLICY PRIORITY");
        long unit = byLoad ? OVER_PROCESSORS : 1;
        long preferred = unit * (heaviest - lightest + 1);
        String order =
                (heaviest == lightest ? "" : (byLoad ? unit + "*" : "") + "PRIORITY + ") + (byLoad ? "APROCS + " : "");
        String function = "PRIORITYF='" + order + preferred + "*PREF + " + preferred + "*RSVAFFINITY'";
        long usual = weights.values().stream()
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.<Long, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(1L);
        lines.add("NODECFG[DEFAULT] " + function + (heaviest == lightest ? "" : " PRIORITY=" + (heaviest - usual)));
        weights.forEach((node, weight) -> {
            if (weight != usual) {
                lines.add("NODECFG[" + node + "] PRIORITY=" + (heaviest - weight));
            }
        });
        return Collections.unmodifiableList(lines);
    }
}
