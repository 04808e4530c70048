package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.event.EventRules;
import io.weir.scheduler.core.event.ForwardedMetrics;
import io.weir.scheduler.core.event.MetricConditions;
import io.weir.scheduler.core.policy.job.ClassConfig;
import io.weir.scheduler.core.policy.job.CredentialConfig;
import io.weir.scheduler.core.policy.job.FairshareSettings;
import io.weir.scheduler.core.policy.job.PrioritySettings;
import io.weir.scheduler.core.policy.job.QosConfig;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.AllocationSettings;
import io.weir.scheduler.core.policy.node.AvailabilitySettings;
import io.weir.scheduler.core.policy.node.CategorySettings;
import io.weir.scheduler.core.policy.node.FailureSettings;
import io.weir.scheduler.core.policy.node.FeatureHeaders;
import io.weir.scheduler.core.policy.node.NodeConfig;
import io.weir.scheduler.core.policy.node.PartitionConfig;
import io.weir.scheduler.core.policy.nodeset.NodeSetSettings;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.policy.reservation.ReservationSettings;
import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.scheduler.core.policy.scheduler.AdminLevel;
import io.weir.scheduler.core.policy.scheduler.BackfillSettings;
import io.weir.scheduler.core.policy.scheduler.ChargeSettings;
import io.weir.scheduler.core.policy.scheduler.PreemptionSettings;
import io.weir.scheduler.core.policy.scheduler.SchedulerSettings;
import io.weir.scheduler.core.trigger.TriggerRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the site's configuration says, with defaults filled in; one part for each area of scheduling. Objects are by name,
 * and DEFAULT holds what an object without an entry of its own gets. An entry already has what DEFAULT says and it does
 * not; NODECFG alone keeps the two apart.
 *
 * @param scheduler the scheduler itself
 * @param availability present availability of nodes
 * @param failures what happens when nodes fail
 * @param headers what features tell
 * @param allocation choice of nodes
 * @param nodeSets node sets
 * @param reservations reservations
 * @param backfill backfill
 * @param preemption preemption
 * @param priority job priority
 * @param fairshare fairshare
 * @param categories categories of nodes
 * @param nodes NODECFG
 * @param classes CLASSCFG
 * @param partitions PARCFG
 * @param qos QOSCFG
 * @param users USERCFG
 * @param groups GROUPCFG
 * @param accounts ACCOUNTCFG
 * @param standing SRCFG
 * @param profiles RSVPROFILE
 * @param admins ADMINCFG by level
 * @param events GEVENTCFG: what is done on which event
 * @param triggers TRIGGER of all parameters that have it
 * @param charging AMCFG
 * @param conditions GEVENTCFG of conditions on metrics, for the reduction of metrics
 * @param forwarded GMETRICCFG and PRIORITYF: metrics that the scheduler is told of, for the reduction of metrics
 * @param nonstop what nonstop.conf says; null when the failure service is off
 */
public record SitePolicy(
        SchedulerSettings scheduler,
        AvailabilitySettings availability,
        FailureSettings failures,
        FeatureHeaders headers,
        AllocationSettings allocation,
        NodeSetSettings nodeSets,
        ReservationSettings reservations,
        BackfillSettings backfill,
        PreemptionSettings preemption,
        PrioritySettings priority,
        FairshareSettings fairshare,
        CategorySettings categories,
        SortedMap<String, NodeConfig> nodes,
        SortedMap<String, ClassConfig> classes,
        SortedMap<String, PartitionConfig> partitions,
        SortedMap<String, QosConfig> qos,
        SortedMap<String, CredentialConfig> users,
        SortedMap<String, CredentialConfig> groups,
        SortedMap<String, CredentialConfig> accounts,
        SortedMap<String, StandingConfig> standing,
        SortedMap<String, StandingConfig> profiles,
        List<AdminLevel> admins,
        EventRules events,
        TriggerRules triggers,
        ChargeSettings charging,
        MetricConditions conditions,
        ForwardedMetrics forwarded,
        @Nullable NonstopSettings nonstop) {
    /** Depth of conservative backfill. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** Name of the object that stands for all without an entry of their own. */
    public static final String DEFAULT_OBJECT = "DEFAULT";

    /** Policy of an empty configuration. */
    public static final SitePolicy DEFAULT = new SitePolicy(
            SchedulerSettings.DEFAULT,
            AvailabilitySettings.DEFAULT,
            FailureSettings.DEFAULT,
            FeatureHeaders.NONE,
            AllocationSettings.DEFAULT,
            NodeSetSettings.DEFAULT,
            ReservationSettings.DEFAULT,
            BackfillSettings.DEFAULT,
            PreemptionSettings.DEFAULT,
            PrioritySettings.DEFAULT,
            FairshareSettings.DEFAULT,
            CategorySettings.DEFAULT,
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            List.of(),
            EventRules.NONE,
            TriggerRules.NONE,
            ChargeSettings.OFF,
            MetricConditions.NONE,
            ForwardedMetrics.NONE,
            null);

    public SitePolicy {
        nodes = sorted(nodes);
        classes = sorted(classes);
        partitions = sorted(partitions);
        qos = sorted(qos);
        users = sorted(users);
        groups = sorted(groups);
        accounts = sorted(accounts);
        standing = sorted(standing);
        profiles = sorted(profiles);
        admins = List.copyOf(admins);
    }

    /** A policy and the settings it was made from. */
    public record Reading(SitePolicy policy, PolicySettings settings) {
        /** Returns what was found, in the order of the text. */
        public List<PolicyProblem> problems() {
            return settings.problems();
        }
    }

    /** Reads a configuration in Moab syntax; never fails, but reports. */
    public static Reading read(String text) {
        return read(PolicyLine.parse(text));
    }

    /** Reads the lines of a configuration. */
    public static Reading read(List<PolicyLine> lines) {
        PolicySettings settings = PolicySettings.read(lines);
        return new Reading(new PolicyReader(settings).policy(), settings);
    }

    /** Returns how nodes are chosen, by the site and by each partition that says otherwise. */
    public List<AllocationChoice> allocationChoices() {
        if (partitions.isEmpty()) {
            return List.of(allocation.policy());
        }
        List<AllocationChoice> choices = new ArrayList<>();
        choices.add(allocation.policy());
        for (PartitionConfig partition : partitions.values()) {
            AllocationChoice own = partition.allocation();
            if (own != null) {
                choices.add(own);
            }
        }
        return choices;
    }

    /** Returns whether the history of the node with {@code id} is kept. */
    public boolean profiles(String id) {
        Boolean own = nodes.getOrDefault(id, NodeConfig.NONE).profiling();
        return own != null ? own : profilesByDefault();
    }

    /** Returns whether the history of any node may be kept. */
    public boolean profilesAny() {
        return profilesByDefault() || nodes.values().stream().anyMatch(node -> Boolean.TRUE.equals(node.profiling()));
    }

    private boolean profilesByDefault() {
        return Boolean.TRUE.equals(
                nodes.getOrDefault(DEFAULT_OBJECT, NodeConfig.NONE).profiling());
    }

    /** Returns what holds for a class; null stands for no class. */
    public ClassConfig jobClass(@Nullable String name) {
        return find(classes, name, ClassConfig.NONE);
    }

    /** Returns what holds for a partition. */
    public PartitionConfig partition(String name) {
        return find(partitions, name, PartitionConfig.NONE);
    }

    /** Returns what holds for a QoS; null stands for none. */
    public QosConfig qos(@Nullable String name) {
        return find(qos, name, QosConfig.NONE);
    }

    /** Returns what holds for a user; null stands for none. */
    public CredentialConfig user(@Nullable String name) {
        return find(users, name, CredentialConfig.NONE);
    }

    /** Returns what holds for a group; null stands for none. */
    public CredentialConfig group(@Nullable String name) {
        return find(groups, name, CredentialConfig.NONE);
    }

    /** Returns what holds for an account; null stands for none. */
    public CredentialConfig account(@Nullable String name) {
        return find(accounts, name, CredentialConfig.NONE);
    }

    private static <V> V find(SortedMap<String, V> objects, @Nullable String name, V none) {
        if (objects.isEmpty()) {
            return none;
        }
        V own = name == null ? null : objects.get(name);
        return own != null ? own : objects.getOrDefault(DEFAULT_OBJECT, none);
    }

    private static <V> SortedMap<String, V> sorted(SortedMap<String, V> map) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
}
