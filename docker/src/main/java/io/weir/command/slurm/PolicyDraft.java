package io.weir.command.slurm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A policy of Weir's under which a cluster's jobs have the order, and get the nodes, that they have by Slurm's configuration. */
final class PolicyDraft {
    private final Slurm slurm;

    PolicyDraft(Slurm slurm) {
        this.slurm = slurm;
    }

    /** Returns the lines of the policy. */
    List<String> lines() {
        Controller config = slurm.controller();
        List<RankedPartition> partitions =
                RankedPartition.parse(slurm.run(List.of("scontrol", "--all", "--oneliner", "show", "partition")));
        Map<String, Long> weights = new LinkedHashMap<>();
        long procs = 0;
        for (String[] fields :
                fields(slurm.run(List.of("sinfo", "--all", "--noheader", "--Node", "--format=%N|%w|%c")))) {
            if (fields.length == 3 && weights.put(fields[0], whole(fields[1])) == null) {
                procs += whole(fields[2]);
            }
        }
        boolean accounted = config.value("AccountingStorageType").endsWith("slurmdbd");
        List<String> lines = new ArrayList<>();
        lines.add(
                "# By the configuration of " + config.value("ClusterName") + ", as its controller has it; a proposal.");
        boolean byQos = accounted && config.value("PreemptType").equals("preempt/qos");
        QosPreemption preemption = byQos
                ? new QosPreemption(qos("name,preempt,preemptmode,gracetime,preemptexempttime"))
                : QosPreemption.NONE;
        Map<String, Integer> ranks = PreemptionOrder.isOn(config) ? preemption.ranks() : Map.of();
        lines.addAll(new QueueOrder(config, partitions, weights.size(), procs)
                .lines(
                        accounted ? priorities() : Map.of(),
                        ranks,
                        accounted ? shares(config.value("ClusterName")) : FairShares.NONE));
        lines.addAll(NodeOrder.lines(config, partitions, weights));
        lines.addAll(ReservationOrder.lines(config, accounted ? qos("name,flags") : List.of()));
        lines.addAll(FailureOrder.lines(config));
        lines.addAll(PreemptionOrder.lines(config, partitions, preemption));
        return lines;
    }

    private Map<String, Long> priorities() {
        Map<String, Long> priorities = new TreeMap<>();
        for (String[] fields : qos("name,priority")) {
            if (fields.length == 2 && !fields[0].isEmpty()) {
                priorities.put(fields[0], whole(fields[1]));
            }
        }
        return priorities;
    }

    /** Returns these fields of each QOS. */
    private List<String[]> qos(String names) {
        return fields(slurm.run(List.of("sacctmgr", "--noheader", "--parsable2", "show", "qos", "format=" + names)));
    }

    private FairShares shares(String cluster) {
        return AccountShares.of(fields(slurm.run(List.of(
                "sacctmgr",
                "--noheader",
                "--parsable2",
                "show",
                "associations",
                "cluster=" + cluster,
                "format=account,parentname,user,share"))));
    }

    private static List<String[]> fields(String text) {
        return text.lines().map(line -> line.strip().split("\\|", -1)).toList();
    }

    private static long whole(String text) {
        return Optional.of(text.replace("+", ""))
                .filter(digits -> digits.matches("\\d{1,10}"))
                .map(Long::parseLong)
                .orElse(0L);
    }
}
