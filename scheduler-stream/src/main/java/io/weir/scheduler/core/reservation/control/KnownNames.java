package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.ReservationTerms;
import io.weir.scheduler.core.reservation.acl.AccessControlList;
import io.weir.scheduler.core.reservation.acl.AclEntry;
import io.weir.scheduler.core.reservation.acl.AclType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks the names in a request against those the cluster knows. An unknown class, QoS, partition or feature is refused
 * where the cluster tells which there are. An unknown user, group or account may be new and only gets a remark. Serves one
 * request.
 */
final class KnownNames {
    private static final int MOST_SHOWN = 20;

    private final NodeTable nodes;
    private final JobTable jobs;
    private final SitePolicy policy;

    /** As far as they were asked for. */
    private final Map<AclType, SortedSet<String>> known = new EnumMap<>(AclType.class);

    KnownNames(NodeTable nodes, JobTable jobs, SitePolicy policy) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.policy = policy;
    }

    /** Refuses names in {@code terms} that {@code before} has not and that nothing on the cluster has. */
    void check(ReservationTerms terms, @Nullable ReservationTerms before) throws Refusal {
        for (AclEntry entry : added(terms, before)) {
            if (entry.type() == AclType.CLASS) {
                require("class", entry.value(), known(AclType.CLASS), "CLASSCFG");
            } else if (entry.type() == AclType.QOS && !policy.qos().isEmpty()) {
                require("QOS", entry.value(), known(AclType.QOS), "QOSCFG");
            }
        }
        String hosts = terms.hostExpression();
        if (hosts != null && (before == null || !hosts.equals(before.hostExpression()))) {
            checkHosts(hosts);
        }
        String partition = terms.partition();
        if (partition != null && (before == null || !partition.equals(before.partition()))) {
            require("partition", partition, ofNodes(node -> List.of(node.partition())), null);
        }
        List<String> features = new ArrayList<>(terms.features());
        features.removeAll(before == null ? List.of() : before.features());
        if (!features.isEmpty()) {
            SortedSet<String> known = ofNodes(EffectiveNode::features);
            for (String feature : features) {
                require("feature", feature, known, null);
            }
        }
    }

    /** Refuses the nodes of a class that nothing has: nodes without a list of classes would all be meant. */
    private void checkHosts(String hosts) throws Refusal {
        Optional<String> name = HostExpression.jobClass(hosts);
        if (name.isPresent()) {
            if (known(AclType.CLASS).isEmpty()) {
                throw new Refusal("no class '" + name.get() + "': neither the configuration nor a node names a class");
            }
            require("class", name.get(), known(AclType.CLASS), "CLASSCFG");
        }
    }

    /** Returns a remark on each user, group and account that is let in and was never heard of. */
    List<String> remarks(ReservationTerms terms, @Nullable ReservationTerms before) {
        List<String> remarks = new ArrayList<>();
        for (AclEntry entry : added(terms, before)) {
            boolean named =
                    entry.type() == AclType.USER || entry.type() == AclType.GROUP || entry.type() == AclType.ACCT;
            if (named && !isKnown(entry.type(), entry.value()) && remarks.size() < MOST_SHOWN) {
                remarks.add("no job and no configuration names " + entry.type() + " '" + entry.value()
                        + "' so far; check the spelling");
            }
        }
        return remarks;
    }

    private static List<AclEntry> added(ReservationTerms terms, @Nullable ReservationTerms before) {
        AccessControlList old = before == null ? AccessControlList.EMPTY : before.acl();
        return terms.acl().entries().stream()
                .filter(entry -> !old.entries().contains(entry))
                .toList();
    }

    private static void require(String what, String name, SortedSet<String> known, @Nullable String parameter)
            throws Refusal {
        if (!known.isEmpty() && !known.contains(name)) {
            String there = String.join(", ", known.stream().limit(MOST_SHOWN).toList())
                    + (known.size() > MOST_SHOWN ? ", ..." : "");
            throw new Refusal("no " + what + " '" + name + "'; there are " + there
                    + (parameter == null ? "" : ", and " + parameter + "[" + name + "] would make it known"));
        }
    }

    /** Returns whether a name of a type is configured, or a job has it. */
    private boolean isKnown(AclType type, String name) {
        return !name.equals(SitePolicy.DEFAULT_OBJECT)
                && (configured(type).contains(name) || ofJobs(type).contains(name));
    }

    /** Returns the names of a type that are configured, that nodes report, or that jobs have. */
    private SortedSet<String> known(AclType type) {
        return known.computeIfAbsent(
                type, missing -> missing == AclType.CLASS ? classes() : names(configured(missing), ofJobs(missing)));
    }

    private Set<String> configured(AclType type) {
        return switch (type) {
            case USER -> policy.users().keySet();
            case GROUP -> policy.groups().keySet();
            case ACCT -> policy.accounts().keySet();
            case QOS -> policy.qos().keySet();
            case CLASS -> policy.classes().keySet();
            case JOB, RSV, JATTR, DURATION, PROC, PS -> throw new IllegalArgumentException(type + " has no list");
        };
    }

    private Set<String> ofJobs(AclType type) {
        return switch (type) {
            case USER -> jobs.credentials().users();
            case GROUP -> jobs.credentials().groups();
            case ACCT -> jobs.credentials().accounts();
            case QOS -> jobs.credentials().qos();
            case CLASS -> jobs.credentials().classes();
            case JOB, RSV, JATTR, DURATION, PROC, PS -> throw new IllegalArgumentException(type + " has no list");
        };
    }

    /** Where neither the configuration nor a node names a class, the classes are unknown. */
    private SortedSet<String> classes() {
        SortedSet<String> declared = ofNodes(node -> node.classes().keySet());
        declared.addAll(policy.classes().keySet());
        declared.remove(SitePolicy.DEFAULT_OBJECT);
        return declared.isEmpty() ? declared : names(declared, ofJobs(AclType.CLASS));
    }

    private static SortedSet<String> names(Set<String> declared, Set<String> ofJobs) {
        SortedSet<String> names = new TreeSet<>(declared);
        names.addAll(ofJobs);
        names.remove(SitePolicy.DEFAULT_OBJECT);
        return names;
    }

    private SortedSet<String> ofNodes(Function<EffectiveNode, Collection<String>> names) {
        SortedSet<String> all = new TreeSet<>();
        for (int position = 0; position < nodes.size(); position++) {
            all.addAll(names.apply(nodes.at(position)));
        }
        return all;
    }
}
