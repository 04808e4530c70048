package io.weir.scheduler.core.policy;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the site's configuration says, with defaults filled in; one part for each area of scheduling. Objects are by name,
 * and DEFAULT holds what an object without an entry of its own gets.
 *
 * @param scheduler the scheduler itself
 * @param availability present availability of nodes
 * @param allocation choice of nodes
 * @param nodeSets node sets
 * @param reservations reservations
 * @param backfill backfill
 * @param priority job priority
 * @param fairshare fairshare
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
 */
public record SitePolicy(
        SchedulerSettings scheduler,
        AvailabilitySettings availability,
        AllocationSettings allocation,
        NodeSetSettings nodeSets,
        ReservationSettings reservations,
        BackfillSettings backfill,
        PrioritySettings priority,
        FairshareSettings fairshare,
        SortedMap<String, NodeConfig> nodes,
        SortedMap<String, ClassConfig> classes,
        SortedMap<String, PartitionConfig> partitions,
        SortedMap<String, QosConfig> qos,
        SortedMap<String, CredentialConfig> users,
        SortedMap<String, CredentialConfig> groups,
        SortedMap<String, CredentialConfig> accounts,
        SortedMap<String, StandingConfig> standing,
        SortedMap<String, StandingConfig> profiles,
        List<AdminLevel> admins) {
    /** Depth of conservative backfill. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** Name of the object that stands for all without an entry of their own. */
    public static final String DEFAULT_OBJECT = "DEFAULT";

    /** Policy of an empty configuration. */
    public static final SitePolicy DEFAULT = new SitePolicy(
            SchedulerSettings.DEFAULT,
            AvailabilitySettings.DEFAULT,
            AllocationSettings.DEFAULT,
            NodeSetSettings.DEFAULT,
            ReservationSettings.DEFAULT,
            BackfillSettings.DEFAULT,
            PrioritySettings.DEFAULT,
            FairshareSettings.DEFAULT,
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            Collections.emptySortedMap(),
            List.of());

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

    /** A policy and what was wrong with the text it was read from. */
    public record Reading(SitePolicy policy, List<PolicyProblem> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    /** Reads a configuration in Moab syntax; never fails, but reports. */
    public static Reading read(String text) {
        return new PolicyReader().read(text);
    }

    /** Returns whether priority reservations may exist at all. */
    public boolean reservesForPriority() {
        return backfill.policy() != BackfillPolicy.NONE
                && backfill.policy() != BackfillPolicy.PREEMPT
                && reservations.policy() != ReservationPolicy.NEVER;
    }

    private static <V> SortedMap<String, V> sorted(SortedMap<String, V> map) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
}
