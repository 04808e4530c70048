package io.weir.command.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Who preempts whom, as PreemptType, PreemptMode and either the tiers of partitions or the lists of QOS say. */
final class PreemptionOrder {
    private static final String PREEMPTOR = "PREEMPTOR";
    private static final String NO_TIME = "00:00:00";
    private static final String QOS = "QOS";

    /** For so long Weir waits for a job that it preempts before it preempts others instead, seconds. */
    private static final long LONGEST_GRACE = 600;

    private static final String LONG_GRACE =
            "GraceTime of more than 10 minutes: Weir may preempt others as well when these are over.";

    private final Controller config;
    private final List<String> lines = new ArrayList<>();

    private PreemptionOrder(Controller config) {
        this.config = config;
    }

    /**
     * Returns lines of a policy.
     *
     * @param qos which QOS preempt which
     */
    static List<String> lines(Controller config, List<RankedPartition> partitions, QosPreemption qos) {
        PreemptionOrder order = new PreemptionOrder(config);
        switch (config.value("PreemptType")) {
            case "preempt/partition_prio" -> order.byTier(partitions);
            case "preempt/qos" -> order.byQos(qos);
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
        List<String> patient = lower.stream()
                .filter(partition -> partition.grace() > LONGEST_GRACE)
                .map(RankedPartition::name)
                .toList();
        tell("Partition", patient, LONG_GRACE);
    }

    private void byQos(QosPreemption qos) {
        String mode = config.value("PreemptMode");
        if (qos.names().isEmpty() || !isPreempted(QOS, mode)) {
            return;
        }
        List<String> lower = qos.victims().stream()
                .filter(name -> isPreempted("QOS " + name, qos.mode(name, mode)))
                .toList();
        if (lower.isEmpty()) {
            return;
        }
        lines.add("# Jobs of some QOS preempt those of others, by the QOS alone.");
        policy(lower.stream().map(name -> qos.mode(name, mode)));
        for (String name : qos.names()) {
            List<String> victims = qos.victims(name);
            List<String> flags = flags(victims.stream().anyMatch(lower::contains), lower.contains(name));
            if (!flags.isEmpty()) {
                lines.add("QOSCFG[" + name + "] QFLAGS=" + String.join(",", flags));
            }
            if (flags.contains(PREEMPTOR)) {
                compare(name, lower, qos);
            }
        }
        if (mode.toUpperCase(Locale.ROOT).contains("WITHIN")) {
            lines.add("# PreemptMode=" + mode + ": Weir's jobs preempt none of their own QOS.");
        }
        tell(QOS, qos.withGrace(lower, LONGEST_GRACE), LONG_GRACE);
        tell(QOS, qos.withExemptTime(lower), "PreemptExemptTime of a QOS: JOBPREEMPTMINACTIVETIME is one for all.");
    }

    /** Says where Weir, which knows no lists, preempts others than are in the list of a QOS. */
    private void compare(String name, List<String> lower, QosPreemption qos) {
        int rank = qos.ranks().getOrDefault(name, 0);
        List<String> listed = qos.victims(name);
        List<String> more = lower.stream()
                .filter(victim -> !victim.equals(name) && !listed.contains(victim))
                .filter(victim -> qos.ranks().getOrDefault(victim, 0) < rank)
                .toList();
        List<String> fewer = listed.stream()
                .filter(lower::contains)
                .filter(victim -> qos.ranks().getOrDefault(victim, 0) >= rank)
                .toList();
        tell(QOS, more, "not listed by QOS " + name + ", are preempted by its jobs all the same: Weir knows no lists.");
        tell(
                QOS,
                fewer,
                "listed by QOS " + name + ", preempt it in turn: whose jobs have the lower priority give way.");
    }

    private void tell(String what, List<String> names, String words) {
        if (!names.isEmpty()) {
            lines.add("# " + what + " " + String.join(", ", names) + ", " + words);
        }
    }

    private static List<String> flags(boolean preemptor, boolean preemptee) {
        List<String> flags = new ArrayList<>();
        if (preemptor) {
            flags.add(PREEMPTOR);
        }
        if (preemptee) {
            flags.add("PREEMPTEE");
        }
        return flags;
    }

    /** Says whether Weir preempts anything where Slurm does so. */
    static boolean isOn(Controller config) {
        return isMode(config.value("PreemptMode"));
    }

    private static boolean isMode(String mode) {
        String word = mode.toUpperCase(Locale.ROOT);
        return word.contains("REQUEUE") || word.contains("CANCEL");
    }

    /** Says whether Weir preempts what Slurm does in {@code mode}. */
    private boolean isPreempted(String what, String mode) {
        String word = mode.toUpperCase(Locale.ROOT);
        if (word.contains("SUSPEND")) {
            lines.add("# PreemptMode=" + mode + " of " + what
                    + ": Weir suspends nobody for others, and so preempts none.");
        }
        return isMode(mode);
    }

    private void policy(Stream<String> modes) {
        NavigableSet<String> words = new TreeSet<>();
        modes.forEach(mode -> words.add(mode.toUpperCase(Locale.ROOT).contains("CANCEL") ? "CANCEL" : "REQUEUE"));
        if (words.size() > 1) {
            lines.add("# PreemptMode is CANCEL for some and REQUEUE for others; PREEMPTPOLICY is one for all.");
        }
        lines.add("PREEMPTPOLICY " + (words.contains("REQUEUE") ? "REQUEUE" : "CANCEL"));
        if (config.value("PreemptParameters").contains("send_user_signal")) {
            lines.add(
                    "# PreemptParameters=send_user_signal: jobs get SIGTERM when their GraceTime begins, whatever their --signal.");
        }
        String exempt = config.value("PreemptExemptTime");
        if (exempt.matches("[0-9:-]+") && !exempt.equals(NO_TIME) && exempt.charAt(0) != '-') {
            lines.add("JOBPREEMPTMINACTIVETIME " + exempt.replace('-', ':'));
        }
    }
}
