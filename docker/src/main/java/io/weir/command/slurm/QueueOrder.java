package io.weir.command.slurm;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The order of a Slurm cluster's queue as parameters of Weir's: partitions of a higher tier first, then the job priority of
 * priority/basic or priority/multifactor. Weir's weights are whole numbers and its priorities bounded, so that all of Slurm's are
 * multiplied by one number.
 */
final class QueueOrder {
    /** No more than this is left for all that is added up, of the 1,000,000,000 that a priority can be. */
    /** Users whose shares are written one by one. */
    private static final int MOST_USERS = 5_000;

    private static final double MOST = 900_000_000;

    /** Weights of a minute, a processor or a node should not lose more than a tenth by rounding. */
    private static final double LEAST_RATE = 10;

    /** In the order of submission a minute counts 1: more than nine years of them. */
    private static final double BASIC_RANGE = 5_000_000;

    private static final double DEFAULT_NICE = 1_000_000;
    private static final double MINUTES_A_DAY = 1_440;

    /** What Slurm takes for a length of time that is not given, in minutes. */
    private static final long A_WEEK = 7 * 1_440;

    private final Controller config;
    private final List<RankedPartition> partitions;
    private final long nodes;
    private final long procs;
    private final List<String> lines = new ArrayList<>();

    /** Kinds of QOS of which each preempts those of the ones before. */
    private int levels = 1;

    /**
     * Prepares for a cluster.
     *
     * @param config what the controller runs with
     * @param partitions its partitions
     * @param nodes how many nodes it has
     * @param procs how many processors these have
     */
    QueueOrder(Controller config, List<RankedPartition> partitions, long nodes, long procs) {
        this.config = config;
        this.partitions = partitions;
        this.nodes = Math.max(1, nodes);
        this.procs = Math.max(1, procs);
    }

    /**
     * Returns the parameters.
     *
     * @param qos priority by QOS, as far as it is known
     * @param ranks by QOS how far up it is among those that preempt each other; empty where none does
     * @param shares shares of the use in percent by account, as far as they are known
     */
    List<String> lines(Map<String, Long> qos, Map<String, Integer> ranks, FairShares shares) {
        lines.clear();
        levels = 1 + ranks.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        if (isMultifactor()) {
            multifactor(qos, ranks, shares);
        } else {
            lines.add("# The order of submission; nice values count as minutes.");
            double step = classes(1, BASIC_RANGE, 0);
            qualities(Map.of(), ranks, 0, step);
        }
        return List.copyOf(lines);
    }

    private boolean isMultifactor() {
        return config.value("PriorityType").endsWith("multifactor");
    }

    private void multifactor(Map<String, Long> qos, Map<String, Integer> ranks, FairShares shares) {
        double age = weight("Age");
        double fairshare = weight("FairShare");
        double size = weight("JobSize");
        double partition = weight("Partition");
        double quality = weight("QOS");
        double range = age + fairshare + size + partition + quality;
        double oldest = Math.max(1, minutes("PriorityMaxAge"));
        double rate = age / oldest;
        double perNode = size / 2 / nodes;
        double perProc = size / 2 / procs;
        double scale = scale(range, rate, perNode, perProc);

        lines.add("# PriorityType=priority/multifactor, all weights times " + number(scale) + ".");
        set("USERPRIOWEIGHT", Math.max(1, scale));
        set("QUEUETIMEWEIGHT", rate * scale);
        if (age > 0) {
            set("QUEUETIMECAP", oldest);
        }
        if (size > 0) {
            int sign = config.value("PriorityFavorSmall").equalsIgnoreCase("yes") ? -1 : 1;
            set("NODEWEIGHT", sign * perNode * scale);
            set("PROCWEIGHT", sign * perProc * scale);
        }
        if (range > 0) {
            lines.add("ENABLENEGJOBPRIORITY TRUE");
        }
        double step = classes(scale, Math.max(1, range), partition);
        qualities(qos, ranks, quality * scale, step);
        fairshare(shares, fairshare * scale);
        if (weight("Assoc") > 0) {
            lines.add(
                    "# PriorityWeightAssoc has no counterpart: give USERCFG[NAME] PRIORITY or ACCOUNTCFG[NAME] PRIORITY.");
        }
        if (!config.value("PriorityWeightTRES").isEmpty()) {
            lines.add("# PriorityWeightTRES=" + config.value("PriorityWeightTRES")
                    + " has no counterpart of its own: see PROCWEIGHT, MEMWEIGHT, NODEWEIGHT.");
        }
    }

    /** Returns by what weights are multiplied: so much that the smallest keep their meaning, as far as there is room. */
    private double scale(double range, double... rates) {
        double wanted = 1;
        for (double each : rates) {
            while (each > 0 && each * wanted < LEAST_RATE) {
                wanted *= 10;
            }
        }
        double room = MOST / Math.max(1, steps() * 3 * Math.max(1, range));
        return Math.min(wanted, room);
    }

    private SortedSet<Long> tiers() {
        SortedSet<Long> tiers = new TreeSet<>();
        partitions.forEach(partition -> tiers.add(partition.tier()));
        return tiers;
    }

    /** Returns how many times what all else adds up to has to fit into the priorities that there are. */
    private int steps() {
        return Math.max(1, tiers().size()) * levels;
    }

    /**
     * Adds what partitions give their jobs; of a higher tier so much that nothing else makes up for it. Returns so much; 0 where there is
     * nothing that it would have to make up for.
     */
    private double classes(double scale, double range, double weight) {
        List<Long> tiers = List.copyOf(tiers());
        double nice = Math.min(DEFAULT_NICE, Math.max(range, 1));
        double step = steps() < 2 ? 0 : Math.min((range + 2 * nice) * scale + 1, MOST / steps());
        if (tiers.size() > 1) {
            lines.add("# Partitions of a higher PriorityTier first.");
        }
        if (step > 0) {
            set("USERPRIOCAP", nice);
        }
        long highest =
                partitions.stream().mapToLong(RankedPartition::factor).max().orElse(1);
        for (RankedPartition partition : partitions) {
            double own = highest <= 0 ? 0 : weight * scale * partition.factor() / highest;
            long priority = Math.round(tiers.indexOf(partition.tier()) * step + own);
            if (priority != 0) {
                lines.add("CLASSCFG[" + partition.name() + "] PRIORITY=" + priority);
            }
        }
        return step;
    }

    /** Adds what QOSs give their jobs; one that preempts others more than partitions and all else make up for. */
    private void qualities(Map<String, Long> qos, Map<String, Integer> ranks, double weight, double step) {
        long highest = qos.values().stream().mapToLong(Long::longValue).max().orElse(0);
        if (weight > 0 && highest <= 0) {
            lines.add("# PriorityWeightQOS: no QOS has a priority, or slurmdbd was not asked.");
        }
        if (levels > 1) {
            lines.add("# Jobs of a QOS that preempts others come before these.");
        }
        SortedSet<String> names = new TreeSet<>(ranks.keySet());
        names.addAll(weight > 0 ? qos.keySet() : List.of());
        for (String name : names) {
            double own = weight > 0 && highest > 0 ? weight * qos.getOrDefault(name, 0L) / highest : 0;
            double above = Math.max(1, tiers().size()) * step * ranks.getOrDefault(name, 0);
            long priority = Math.round(above + own);
            if (priority > 0) {
                lines.add("QOSCFG[" + name + "] PRIORITY=" + priority);
            }
        }
    }

    /** Slurm's factor goes from 0 to 1, Weir's difference from the target from -100 to 100. */
    private void fairshare(FairShares shares, double weight) {
        if (weight <= 0) {
            return;
        }
        double halfLife = minutes("PriorityDecayHalfLife");
        lines.add("# Fairshare of accounts first, a tenth as much of their users.");
        lines.add("FSPOLICY DEDICATEDPS");
        lines.add("FSINTERVAL 24:00:00");
        lines.add("FSDEPTH 30");
        lines.add("FSDECAY " + number(halfLife <= 0 ? 1 : Math.pow(0.5, MINUTES_A_DAY / halfLife)));
        set("FSACCOUNTWEIGHT", Math.max(1, weight / 100));
        shares.accounts().forEach((name, share) -> lines.add("ACCOUNTCFG[" + name + "] FSTARGET=" + number(share)));
        if (shares.accounts().isEmpty()) {
            lines.add("# No shares are known: give ACCOUNTCFG[NAME] FSTARGET, in percent.");
        }
        users(shares.users(), weight);
    }

    /** What most users are meant to have is the default. */
    private void users(Map<String, Double> shares, double weight) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        shares.values().forEach(share -> counts.merge(number(share), 1, Integer::sum));
        String common = "";
        for (Map.Entry<String, Integer> count : counts.entrySet()) {
            if (count.getValue() > counts.getOrDefault(common, 1)) {
                common = count.getKey();
            }
        }
        String most = common;
        List<String> others = shares.keySet().stream()
                .filter(name -> !number(shares.getOrDefault(name, 0.0)).equals(most))
                .toList();
        if (shares.isEmpty() || others.size() > MOST_USERS) {
            lines.add("# " + shares.size() + " users: give USERCFG[NAME] FSTARGET, in percent, and FSUSERWEIGHT.");
            return;
        }
        set("FSUSERWEIGHT", Math.max(1, weight / 1000));
        if (!most.isEmpty()) {
            lines.add("USERCFG[DEFAULT] FSTARGET=" + most);
        }
        others.forEach(name -> lines.add("USERCFG[" + name + "] FSTARGET=" + number(shares.getOrDefault(name, 0.0))));
    }

    private void set(String parameter, double value) {
        lines.add(parameter + " " + Math.round(value));
    }

    private double weight(String name) {
        String value = config.value("PriorityWeight" + name);
        return value.matches("\\d{1,10}") ? Long.parseLong(value) : 0;
    }

    private double minutes(String name) {
        return SlurmMinutes.of(config.value(name)).orElse(A_WEEK);
    }

    /** Returns a number with four digits behind the point at most. */
    private static String number(double value) {
        return BigDecimal.valueOf(value)
                .setScale(4, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
