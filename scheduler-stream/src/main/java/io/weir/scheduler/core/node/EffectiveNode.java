package io.weir.scheduler.core.node;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AvailabilityMeasure;
import io.weir.scheduler.core.policy.node.AvailabilitySettings;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.NodeConfig;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.schemas.NodeState;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node as placement sees it: what the resource manager reports, overlaid with NODECFG of the node and of DEFAULT.
 * Immutable; made anew when either changes.
 */
public final class EffectiveNode {
    /** No reservation keeps the node. */
    static final long NOT_KEPT = -1;

    /** The pseudo-node that holds generic resources of the whole cluster; it has no processors and runs nothing. */
    public static final String GLOBAL = "GLOBAL";

    /** So much less is no less: loads are sums of measured parts. */
    private static final double NOTHING = 1e-6;

    private final Node node;
    private final boolean accepting;
    private final boolean plannableNow;
    private final Capacity configured;
    private final List<String> features;
    private final List<String> networks;
    private final SortedMap<String, Long> classes;
    private final SortedMap<String, Long> gres;
    private final String partition;
    private final @Nullable String arch;
    private final @Nullable String os;
    private final @Nullable Double speed;
    private final @Nullable Integer procSpeedMhz;
    private final NodeAccessPolicy access;
    private final double chargeRate;
    private final @Nullable String rack;
    private final @Nullable String slot;
    private final @Nullable String nodeType;
    private final long priority;
    private final @Nullable String priorityFunction;
    private final double maxLoad;
    private final long procsWithinLoad;
    private final boolean capped;
    private final long awaitedSeconds;
    private final long keptUntil;
    private final int index;
    private final int procUnit;
    private final AvailabilityMeasure procMeasure;
    private final AvailabilityMeasure memoryMeasure;
    private final AvailabilityMeasure swapMeasure;
    private final AvailabilityMeasure diskMeasure;

    private final NodeConfig own;
    private final NodeConfig byDefault;

    private EffectiveNode(Node node, SitePolicy policy, long keptUntil) {
        this.node = node;
        accepting = node.accepting();
        plannableNow = node.plannable();
        own = policy.nodes().getOrDefault(node.id(), NodeConfig.NONE);
        byDefault = policy.nodes().getOrDefault(SitePolicy.DEFAULT_OBJECT, NodeConfig.NONE);
        NodeAttributes said = node.attributes();
        Capacity reported = said.configured();
        configured = new Capacity(
                node.id().equals(GLOBAL) ? 0 : setting(NodeConfig::procs, reported.procs()),
                setting(NodeConfig::memoryMb, reported.memoryMb()),
                setting(NodeConfig::swapMb, reported.swapMb()),
                setting(NodeConfig::diskMb, reported.diskMb()));
        procUnit = configured.procs() % said.procUnit() == 0 ? said.procUnit() : 1;
        features = union(said.features(), NodeConfig::features);
        networks = union(said.networks(), NodeConfig::networks);
        classes = classes(said.classes());
        gres = gres(said.gres());
        String told = policy.headers().partitionOf(features);
        partition = said.partition().equals(Node.DEFAULT_PARTITION)
                ? setting(NodeConfig::partition, told == null ? Node.DEFAULT_PARTITION : told)
                : said.partition();
        arch = said.arch() != null ? said.arch() : optional(NodeConfig::arch);
        os = said.os() != null ? said.os() : optional(NodeConfig::os);
        speed = said.speed() != null ? said.speed() : optional(NodeConfig::speed);
        Integer clock = said.procSpeedMhz() != null ? said.procSpeedMhz() : optional(NodeConfig::procSpeedMhz);
        procSpeedMhz = clock != null ? clock : policy.headers().procSpeedMhz(features);
        NodeAccessPolicy inPartition = policy.partition(partition).access();
        access = setting(
                NodeConfig::access,
                inPartition != null ? inPartition : policy.allocation().access());
        Double rate = optional(NodeConfig::chargeRate);
        chargeRate = rate != null ? rate : said.chargeRate() != null ? said.chargeRate() : 1.0;
        rack = said.rack() != null ? said.rack() : optional(NodeConfig::rack);
        slot = said.slot() != null ? said.slot() : optional(NodeConfig::slot);
        String type = optional(NodeConfig::nodeType);
        nodeType = type != null ? type : policy.headers().nodeTypeOf(features);
        priority = setting(NodeConfig::priority, 0L);
        priorityFunction = optional(NodeConfig::priorityFunction);
        maxLoad = setting(NodeConfig::maxLoad, policy.availability().maxLoad());
        procsWithinLoad = maxLoad > 0 && policy.availability().adjustProcs()
                ? (long) Math.floor(maxLoad + 0.5 + NOTHING)
                : Long.MAX_VALUE;
        capped = procsWithinLoad != Long.MAX_VALUE || own.capped() || byDefault.capped();
        awaitedSeconds = awaitedSeconds(node.state(), policy.availability());
        this.keptUntil = mayBeAwaited(node) ? keptUntil : NOT_KEPT;
        index = own.index() != null ? own.index() : node.index();
        procMeasure = measure(ResourceKind.PROC, policy.availability());
        memoryMeasure = measure(ResourceKind.MEM, policy.availability());
        swapMeasure = measure(ResourceKind.SWAP, policy.availability());
        diskMeasure = measure(ResourceKind.DISK, policy.availability());
    }

    /** Returns what {@code policy} makes of {@code node}. */
    public static EffectiveNode of(Node node, SitePolicy policy) {
        return of(node, policy, NOT_KEPT);
    }

    /**
     * Returns what {@code policy} makes of {@code node}.
     *
     * @param keptUntil until when a reservation keeps it for repair, epoch seconds; {@link #NOT_KEPT} for none
     */
    static EffectiveNode of(Node node, SitePolicy policy, long keptUntil) {
        return new EffectiveNode(node, policy, keptUntil);
    }

    /** Returns whether a node is down or drained, so that the question arises when it is expected back. */
    public static boolean mayBeAwaited(Node node) {
        return switch (node.state()) {
            case DOWN, DRAINED, DRAINING -> true;
            case IDLE, RUNNING, BUSY, UNKNOWN, REMOVED -> false;
        };
    }

    /** Returns whether {@code other}, a version of this node, is the same to every plan. */
    public boolean planLike(EffectiveNode other) {
        return id().equals(other.id())
                && plannableNow == other.plannableNow
                && plannable() == other.plannable()
                && access() == other.access()
                && likeFor(other);
    }

    /** Returns whether {@code other} can run the same tasks, whatever their states and present use. */
    boolean likeFor(EffectiveNode other) {
        NodeAttributes mine = node.attributes();
        NodeAttributes its = other.node.attributes();
        return index == other.index
                && configured.equals(other.configured)
                && features.equals(other.features)
                && networks.equals(other.networks)
                && classes.equals(other.classes)
                && gres.equals(other.gres)
                && partition.equals(other.partition)
                && Objects.equals(arch, other.arch)
                && Objects.equals(os, other.os)
                && Objects.equals(speed, other.speed)
                && Objects.equals(procSpeedMhz, other.procSpeedMhz)
                && Objects.equals(mine.maxTasks(), its.maxTasks())
                && procUnit == other.procUnit;
    }

    /** Returns whether {@code other}, a version of this node, is in the same state at the same price. */
    boolean isInTheConditionOf(EffectiveNode other) {
        return node.state() == other.node.state()
                && plannableNow == other.plannableNow
                && Double.compare(chargeRate, other.chargeRate) == 0;
    }

    /** Returns how many tasks it takes at most, of all jobs; null for any number. */
    public @Nullable Integer maxTasks() {
        return node.attributes().maxTasks();
    }

    /** Returns how many processors of it one job may have: those configured, as far as its caps on processors let it. */
    public int procsOfOneJob() {
        long most = Math.min(configured.procs(), procsWithinLoad);
        Integer ofAll = optional(NodeConfig::maxProcs);
        Integer ofUser = optional(NodeConfig::maxProcsPerUser);
        Double equivalents = optional(NodeConfig::maxPe);
        most = ofAll == null ? most : Math.min(most, ofAll);
        most = ofUser == null ? most : Math.min(most, ofUser);
        most = equivalents == null ? most : Math.min(most, (long) Math.floor(equivalents + NOTHING));
        return (int) Math.max(0, most);
    }

    /** Returns {@link Node#accepting}. */
    public boolean accepting() {
        return accepting;
    }

    /** Returns {@link Node#plannable}: whether a job may be planned on it that does not wait for its return. */
    boolean plannableNow() {
        return plannableNow;
    }

    /** Returns whether a job may be planned on it, now or later. */
    public boolean plannable() {
        return plannableNow || isAwaited();
    }

    /** Returns whether it is down or drained and jobs are planned on it all the same, for when it may be back. */
    public boolean isAwaited() {
        return (awaitedSeconds >= 0 || keptUntil != NOT_KEPT) && !node.isFailing();
    }

    /** Returns whether {@code other}, a version of this node, is expected back when this one is; so are two that are here. */
    public boolean isExpectedLike(@Nullable EffectiveNode other) {
        return other != null
                && isAwaited() == other.isAwaited()
                && (!isAwaited() || (keptUntil == other.keptUntil && awaitedSeconds == other.awaitedSeconds));
    }

    /** Returns whether it is awaited for when a reservation ends, and not for some time from now. */
    public boolean isKept() {
        return keptUntil != NOT_KEPT;
    }

    /** Returns when the reservation ends that keeps it, epoch seconds; {@link #NOT_KEPT} for none. */
    public long keptUntil() {
        return keptUntil;
    }

    private static long awaitedSeconds(NodeState state, AvailabilitySettings settings) {
        return switch (state) {
            case DOWN -> settings.downDelaySeconds();
            case DRAINED, DRAINING -> settings.drainDelaySeconds();
            case IDLE, RUNNING, BUSY, UNKNOWN, REMOVED -> -1;
        };
    }

    /** Returns how far ahead of now it counts as unavailable while it is awaited, whenever that is asked; at least 1 second. */
    public long awaitedSeconds() {
        return Math.max(1, awaitedSeconds);
    }

    /** Returns the node as reported. */
    public Node node() {
        return node;
    }

    /** Returns the node's id. */
    public String id() {
        return node.id();
    }

    /** Returns the place in the order of nodes. */
    public int index() {
        return index;
    }

    /** Returns the configured amounts, C. */
    public Capacity configured() {
        return configured;
    }

    /** Returns how many processors go to one job together, at least 1; 1 where the node has no whole number of such units. */
    public int procUnit() {
        return procUnit;
    }

    /** Returns how many processors a job holds here that asks for {@code procs}: whole units. */
    public int dedicated(int procs) {
        return procUnit == 1 ? procs : (procs + procUnit - 1) / procUnit * procUnit;
    }

    /** Returns the features, sorted. */
    public List<String> features() {
        return features;
    }

    /** Returns the network interfaces, sorted. */
    public List<String> networks() {
        return networks;
    }

    /** Returns the tasks taken of each class; empty accepts every class. */
    public SortedMap<String, Long> classes() {
        return classes;
    }

    /** Returns whether jobs of {@code jobClass} (null for none) are taken at all. */
    public boolean accepts(@Nullable String jobClass) {
        return jobClass == null || classes.isEmpty() || classes.containsKey(jobClass);
    }

    /** Returns the configured generic resources. */
    public SortedMap<String, Long> gres() {
        return gres;
    }

    /** Returns the partition. */
    public String partition() {
        return partition;
    }

    /** Returns the architecture, or null. */
    public @Nullable String arch() {
        return arch;
    }

    /** Returns the operating system, or null. */
    public @Nullable String os() {
        return os;
    }

    /** Returns the relative speed; null when not given, which acts as 1. */
    public @Nullable Double speed() {
        return speed;
    }

    /** Returns the processor speed in MHz, or null. */
    public @Nullable Integer procSpeedMhz() {
        return procSpeedMhz;
    }

    /** Returns the node access policy that holds unless a job or class says otherwise. */
    public NodeAccessPolicy access() {
        return access;
    }

    /** Returns the relative price of a processor second. */
    public double chargeRate() {
        return chargeRate;
    }

    /** Returns the rack it stands in, or null. */
    public @Nullable String rack() {
        return rack;
    }

    /** Returns the slot in its rack, or null. */
    public @Nullable String slot() {
        return slot;
    }

    /** Returns its type, or null. */
    public @Nullable String nodeType() {
        return nodeType;
    }

    /** Returns the administrator's note, or null. */
    public @Nullable String comment() {
        return optional(NodeConfig::comment);
    }

    /** Returns the administrator's priority value. */
    public long priority() {
        return priority;
    }

    /** Returns the text of the priority function; null for the built-in one. */
    public @Nullable String priorityFunction() {
        return priorityFunction;
    }

    /** Returns the load from which on no more tasks are taken; 0 for no limit. */
    public double maxLoad() {
        return maxLoad;
    }

    /** Returns whether the node caps its jobs, or what they hold, besides its amounts. */
    public boolean isCapped() {
        return capped;
    }

    /**
     * Returns how many processors the node has to give at most while nothing runs on it: with {@code NODELOADPOLICY ADJUSTPROCS}
     * what its load may be.
     */
    public long procsWithinLoad() {
        return procsWithinLoad;
    }

    /** Returns how present availability of {@code resource} is judged. */
    public AvailabilityMeasure measure(ResourceKind resource) {
        return switch (resource) {
            case PROC -> procMeasure;
            case MEM -> memoryMeasure;
            case SWAP -> swapMeasure;
            case DISK -> diskMeasure;
        };
    }

    /** Returns a setting of NODECFG for this node or DEFAULT; null when neither gives it. */
    public <T> @Nullable T optional(Function<NodeConfig, @Nullable T> setting) {
        T mine = setting.apply(own);
        return mine != null ? mine : setting.apply(byDefault);
    }

    private <T> T setting(Function<NodeConfig, @Nullable T> setting, T otherwise) {
        T value = optional(setting);
        return value != null ? value : otherwise;
    }

    /** Returns what is reported and configured, sorted, each once. */
    private List<String> union(List<String> reported, Function<NodeConfig, List<String>> configuredList) {
        List<String> mine = configuredList.apply(own);
        List<String> added = mine.isEmpty() ? configuredList.apply(byDefault) : mine;
        TreeSet<String> all = new TreeSet<>(reported);
        all.addAll(added);
        return List.copyOf(all);
    }

    private SortedMap<String, Long> classes(SortedMap<String, Long> reported) {
        List<String> named = own.classes().isEmpty() ? byDefault.classes() : own.classes();
        if (!reported.isEmpty() || named.isEmpty()) {
            return reported;
        }
        SortedMap<String, Long> all = new TreeMap<>();
        named.forEach(name -> all.put(name, (long) configured.procs()));
        return Collections.unmodifiableSortedMap(all);
    }

    private SortedMap<String, Long> gres(SortedMap<String, Long> reported) {
        SortedMap<String, Long> added = own.gres().isEmpty() ? byDefault.gres() : own.gres();
        if (added.isEmpty()) {
            return reported;
        }
        SortedMap<String, Long> all = new TreeMap<>(added);
        all.putAll(reported);
        return Collections.unmodifiableSortedMap(all);
    }

    private AvailabilityMeasure measure(ResourceKind resource, AvailabilitySettings site) {
        NodeConfig.AvailabilityOverride override = optional(NodeConfig::availability);
        if (override == null) {
            return site.measure(resource);
        }
        AvailabilityMeasure measure = override.byResource().get(resource);
        if (measure == null) {
            measure = override.byDefault();
        }
        return measure != null ? measure : site.measure(resource);
    }
}
