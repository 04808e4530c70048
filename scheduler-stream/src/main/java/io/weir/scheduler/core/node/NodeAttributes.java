package io.weir.scheduler.core.node;

import io.weir.schemas.Measurement;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeStatus;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a resource manager says about a node, its state apart.
 *
 * @param configured configured amounts
 * @param usage what is measured at present
 * @param features features, sorted
 * @param classes tasks the node takes of each class it accepts; empty accepts every class
 * @param gres configured generic resources
 * @param networks network interfaces, sorted
 * @param partition partition
 * @param arch architecture
 * @param os operating system
 * @param speed relative speed
 * @param procSpeedMhz processor speed
 * @param rack rack
 * @param slot slot in the rack
 * @param poweredOn whether it is switched on
 * @param maxTasks most tasks; null means one for each processor
 * @param chargeRate relative price; null means 1
 * @param metrics generic metrics
 * @param variables variables
 * @param messages messages
 * @param category category given by the resource manager
 * @param procUnit processors that go to one job together, at least 1
 * @param switchedOnForJobs whether the resource manager switches it on when a job is started there
 */
public record NodeAttributes(
        Capacity configured,
        NodeUsage usage,
        List<String> features,
        SortedMap<String, Long> classes,
        SortedMap<String, Long> gres,
        List<String> networks,
        String partition,
        @Nullable String arch,
        @Nullable String os,
        @Nullable Double speed,
        @Nullable Integer procSpeedMhz,
        @Nullable String rack,
        @Nullable String slot,
        boolean poweredOn,
        @Nullable Integer maxTasks,
        @Nullable Double chargeRate,
        SortedMap<String, Double> metrics,
        SortedMap<String, String> variables,
        List<String> messages,
        @Nullable String category,
        int procUnit,
        boolean switchedOnForJobs) {
    public NodeAttributes {
        features = List.copyOf(features);
        classes = Collections.unmodifiableSortedMap(classes);
        gres = Collections.unmodifiableSortedMap(gres);
        networks = List.copyOf(networks);
        metrics = Collections.unmodifiableSortedMap(metrics);
        variables = Collections.unmodifiableSortedMap(variables);
        messages = List.copyOf(messages);
    }

    /** Reads the attributes out of a report. */
    static NodeAttributes from(NodeReport report) {
        String partition = report.getPartition();
        return new NodeAttributes(
                new Capacity(report.getProcs(), report.getMemoryMb(), report.getSwapMb(), report.getDiskMb()),
                new NodeUsage(
                        report.getLoad(),
                        report.getAvailableProcs(),
                        report.getAvailableMemoryMb(),
                        report.getAvailableSwapMb(),
                        report.getAvailableDiskMb()),
                report.getFeatures(),
                counts(report.getClasses()),
                counts(report.getGres()),
                report.getNetworks(),
                partition == null ? Node.DEFAULT_PARTITION : partition,
                report.getArch(),
                report.getOs(),
                report.getSpeed(),
                report.getProcSpeedMhz(),
                report.getRack(),
                report.getSlot(),
                report.getPoweredOn(),
                report.getMaxTasks(),
                report.getChargeRate(),
                metrics(report.getMetrics()),
                variables(report.getVariables()),
                ReportedCategory.messages(report),
                report.getCategory(),
                report.getProcUnit(),
                report.getSwitchedOnForJobs());
    }

    /** Reads the attributes out of a stored version. */
    static NodeAttributes from(NodeStatus status) {
        String partition = status.getPartition();
        return new NodeAttributes(
                new Capacity(status.getProcs(), status.getMemoryMb(), status.getSwapMb(), status.getDiskMb()),
                new NodeUsage(
                        status.getLoad(),
                        status.getAvailableProcs(),
                        status.getAvailableMemoryMb(),
                        status.getAvailableSwapMb(),
                        status.getAvailableDiskMb()),
                status.getFeatures(),
                counts(status.getClasses()),
                counts(status.getGres()),
                status.getNetworks(),
                partition == null ? Node.DEFAULT_PARTITION : partition,
                status.getArch(),
                status.getOs(),
                status.getSpeed(),
                status.getProcSpeedMhz(),
                status.getRack(),
                status.getSlot(),
                status.getPoweredOn(),
                status.getMaxTasks(),
                status.getChargeRate(),
                metrics(status.getMetrics()),
                variables(status.getVariables()),
                status.getMessages(),
                status.getCategory(),
                status.getProcUnit(),
                status.getSwitchedOnForJobs());
    }

    /** Writes the attributes into the record that stores and topics hold. */
    NodeStatus.Builder into(NodeStatus.Builder status) {
        return status.setProcs(configured.procs())
                .setMemoryMb(configured.memoryMb())
                .setSwapMb(configured.swapMb())
                .setDiskMb(configured.diskMb())
                .setLoad(usage.load())
                .setAvailableProcs(usage.availableProcs())
                .setAvailableMemoryMb(usage.availableMemoryMb())
                .setAvailableSwapMb(usage.availableSwapMb())
                .setAvailableDiskMb(usage.availableDiskMb())
                .setFeatures(features)
                .setClasses(records(classes))
                .setGres(records(gres))
                .setNetworks(networks)
                .setPartition(partition)
                .setArch(arch)
                .setOs(os)
                .setSpeed(speed)
                .setProcSpeedMhz(procSpeedMhz)
                .setRack(rack)
                .setSlot(slot)
                .setPoweredOn(poweredOn)
                .setMaxTasks(maxTasks)
                .setChargeRate(chargeRate)
                .setMetrics(metrics.entrySet().stream()
                        .map(m -> new Measurement(m.getKey(), m.getValue()))
                        .toList())
                .setVariables(variables.entrySet().stream()
                        .map(v -> new NameValue(v.getKey(), v.getValue()))
                        .toList())
                .setMessages(messages)
                .setCategory(category)
                .setProcUnit(procUnit)
                .setSwitchedOnForJobs(switchedOnForJobs);
    }

    /** Returns these attributes with others in place of what operators can attach, too. */
    NodeAttributes with(
            SortedMap<String, Double> otherMetrics,
            SortedMap<String, String> otherVariables,
            List<String> otherMessages,
            @Nullable String otherCategory) {
        return new NodeAttributes(
                configured,
                usage,
                features,
                classes,
                gres,
                networks,
                partition,
                arch,
                os,
                speed,
                procSpeedMhz,
                rack,
                slot,
                poweredOn,
                maxTasks,
                chargeRate,
                otherMetrics,
                otherVariables,
                otherMessages,
                otherCategory,
                procUnit,
                switchedOnForJobs);
    }

    /** Returns whether it takes jobs as far as its power is concerned: it is switched on, or will be for them. */
    public boolean powered() {
        return poweredOn || switchedOnForJobs;
    }

    /** Returns these attributes without the messages {@code gone}. */
    NodeAttributes without(List<String> gone) {
        List<String> left =
                messages.stream().filter(text -> !gone.contains(text)).toList();
        return with(metrics, variables, left, category);
    }

    private static SortedMap<String, Long> counts(List<NameCount> records) {
        SortedMap<String, Long> counts = new TreeMap<>();
        records.forEach(r -> counts.put(r.getName(), r.getCount()));
        return counts;
    }

    private static List<NameCount> records(SortedMap<String, Long> counts) {
        return counts.entrySet().stream()
                .map(c -> new NameCount(c.getKey(), c.getValue()))
                .toList();
    }

    private static SortedMap<String, Double> metrics(List<Measurement> records) {
        SortedMap<String, Double> metrics = new TreeMap<>();
        records.forEach(r -> metrics.put(r.getName(), r.getValue()));
        return metrics;
    }

    private static SortedMap<String, String> variables(List<NameValue> records) {
        SortedMap<String, String> variables = new TreeMap<>();
        records.forEach(r -> variables.put(r.getName(), r.getValue()));
        return variables;
    }
}
