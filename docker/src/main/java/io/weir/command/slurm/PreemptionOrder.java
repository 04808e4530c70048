package io.weir.command.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Who preempts whom, as PreemptType, PreemptMode and either the tiers of partitions or the lists of QOS say. */
final class PreemptionOrder {
    private static final String NO_TIME = "00:00:00";

    private final Controller config;
    private final List<String> lines = new ArrayList<>();

    private PreemptionOrder(Controller config) {
        this.config = config;
    }

    /**
     * Returns lines of a policy.
     *
     * @param preempted by QOS, those whose jobs it may preempt
     * @param priorities by QOS
     */
    static List<String> lines(
            Controller config,
            List<RankedPartition> partitions,
            Map<String, List<String>> preempted,
            Map<String, Long> priorities) {
        PreemptionOrder order = new PreemptionOrder(config);
        switch (config.value("PreemptType")) {
            case "preempt/partition_prio" -> order.byTier(partitions);
            case "preempt/qos" -> order.byQos(preempted, priorities);
            default -> {
                // Nobody is preempted.
            }
        }
        return order.lines;
    }

    private void byTier(List<RankedPartition> partitions) {
        long highest =
                partitions.stream().mapToLong(RankedPartition::tier).max().orElse(0);
        List<RankedPartition> lower = partitions.stream()
                .filter(partition -> partition.tier() < highest)
                .filter(partition -> isPreempted("partition " + partition.name(), partition.preemptMode()))
                .toList();
        if (lower.isEmpty()) {
            return;
        }
        long lowest = lower.stream().mapToLong(RankedPartition::tier).min().orElse(0);
        lines.add("# Jobs of a higher PriorityTier preempt those of a lower one.");
        policy(lower.stream().map(RankedPartition::preemptMode));
        for (RankedPartition partition : partitions) {
            List<String> flags = flags(partition.tier() > lowest, lower.contains(partition));
            if (!flags.isEmpty()) {
                lines.add("CLASSCFG[" + partition.name() + "] JOBFLAGS=" + String.join(",", flags));
            }
        }
    }

    private void byQos(Map<String, List<String>> preempted, Map<String, Long> priorities) {
        String mode = config.value("PreemptMode");
        NavigableSet<String> lower = new TreeSet<>();
        preempted.values().forEach(lower::addAll);
        if (lower.isEmpty() || !isPreempted("QOS", mode)) {
            return;
        }
        lines.add("# Jobs of some QOS preempt those of others, if these have a lower priority.");
        policy(Stream.of(mode));
        NavigableSet<String> all = new TreeSet<>(lower);
        all.addAll(preempted.keySet());
        for (String name : all) {
            List<String> victims = preempted.getOrDefault(name, List.of());
            List<String> flags = flags(!victims.isEmpty(), lower.contains(name));
            lines.add("QOSCFG[" + name + "] QFLAGS=" + String.join(",", flags));
            for (String victim : victims) {
                if (priorities.getOrDefault(name, 0L) <= priorities.getOrDefault(victim, 0L)) {
                    lines.add("# QOS " + name + " preempts " + victim + ", which has no lower priority: give it one.");
                }
            }
        }
    }

    private static List<String> flags(boolean preemptor, boolean preemptee) {
        List<String> flags = new ArrayList<>();
        if (preemptor) {
            flags.add("PREEMPTOR");
        }
        if (preemptee) {
            flags.add("PREEMPTEE");
        }
        return flags;
    }

    /** Says whether Weir preempts what Slurm does in {@code mode}. */
    private boolean isPreempted(String what, String mode) {
        String word = mode.toUpperCase(Locale.ROOT);
        if (word.contains("SUSPEND")) {
            lines.add("# PreemptMode=" + mode + " of " + what
                    + ": Weir suspends nobody for others, and so preempts none.");
        }
        return word.contains("REQUEUE") || word.contains("CANCEL");
    }

    private void policy(Stream<String> modes) {
        NavigableSet<String> words = new TreeSet<>();
        modes.forEach(mode -> words.add(mode.toUpperCase(Locale.ROOT).contains("CANCEL") ? "CANCEL" : "REQUEUE"));
        if (words.size() > 1) {
            lines.add("# PreemptMode is CANCEL for some and REQUEUE for others; PREEMPTPOLICY is one for all.");
        }
        lines.add("PREEMPTPOLICY " + (words.contains("REQUEUE") ? "REQUEUE" : "CANCEL"));
        String exempt = config.value("PreemptExemptTime");
        if (exempt.matches("[0-9:-]+") && !exempt.equals(NO_TIME) && exempt.charAt(0) != '-') {
            lines.add("JOBPREEMPTMINACTIVETIME " + exempt.replace('-', ':'));
        }
    }
}
