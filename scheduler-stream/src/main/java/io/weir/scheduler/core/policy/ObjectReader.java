package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.placement.priority.PriorityFunction;
import io.weir.scheduler.core.policy.job.ClassConfig;
import io.weir.scheduler.core.policy.job.CredentialConfig;
import io.weir.scheduler.core.policy.job.FairshareTarget;
import io.weir.scheduler.core.policy.job.QosConfig;
import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.BracketedNumbers;
import io.weir.scheduler.core.policy.language.value.NodeSetText;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.NodeConfig;
import io.weir.scheduler.core.policy.node.NodeFailurePolicy;
import io.weir.scheduler.core.policy.node.PartitionConfig;
import io.weir.scheduler.core.policy.nodeset.NodeSetSpec;
import io.weir.scheduler.core.policy.reservation.ReservationPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the objects that jobs and nodes belong to. What an object and its DEFAULT do not say is null. */
final class ObjectReader {
    private final PolicySettings settings;

    ObjectReader(PolicySettings settings) {
        this.settings = settings;
    }

    /** Reads NODECFG; of a node only what is written for itself, as a node's report stands between it and DEFAULT. */
    NodeConfig node(ObjectSettings node) {
        Source own = new Source(node, true);
        return new NodeConfig(
                own.choice("ACCESS", NodeAccessPolicy.class),
                own.text("ARCH"),
                own.decimal("CHARGERATE"),
                own.items("CLASSES").stream().map(ObjectReader::beforeColon).toList(),
                own.text("COMMENT"),
                own.items("FEATURES"),
                counts(own.items("GRES")),
                own.count("MAXJOB"),
                own.count("MAXJOBPERUSER"),
                own.decimal("MAXLOAD"),
                own.number("MAXPE"),
                own.count("MAXPROC"),
                own.count("MAXPROCPERUSER"),
                own.items("NETWORK"),
                own.text("NODETYPE"),
                availability(own, node),
                own.count("NODEINDEX"),
                own.text("OS"),
                own.text("PARTITION"),
                own.whole("PRIORITY"),
                priorityFunction(own, node),
                own.count("PROCSPEED"),
                own.text("RACK"),
                own.text("SLOT"),
                own.whole("RCDISK"),
                own.whole("RCMEM"),
                own.count("RCPROC"),
                own.whole("RCSWAP"),
                own.decimal("SPEED"),
                variables(own.items("VARIABLE")),
                own.has("ENABLEPROFILING") ? Boolean.valueOf(node.flag("ENABLEPROFILING")) : null);
    }

    /** Reports terms of a priority function that are left out; a function that is no function has not come this far. */
    private @Nullable String priorityFunction(Source own, ObjectSettings node) {
        String text = own.text("PRIORITYF");
        Origin origin = node.origin("PRIORITYF");
        if (text != null && origin != null) {
            PriorityFunction.read(text)
                    .problems()
                    .forEach(problem -> settings.report(
                            Kind.BAD_VALUE, origin, "NODECFG[" + node.id() + "] PRIORITYF", problem.toString()));
        }
        return text;
    }

    private NodeConfig.@Nullable AvailabilityOverride availability(Source own, ObjectSettings node) {
        List<String> items = own.items("NODEAVAILABILITYPOLICY");
        if (items.isEmpty()) {
            return null;
        }
        PolicyReader.AvailabilityEntries entries = PolicyReader.AvailabilityEntries.of(items);
        Origin origin = node.origin("NODEAVAILABILITYPOLICY");
        if (origin != null) {
            entries.repeated()
                    .forEach(entry -> settings.report(
                            Kind.DOUBTFUL,
                            origin,
                            "NODECFG[" + node.id() + "] NODEAVAILABILITYPOLICY",
                            entry + " is stated more than once; the last entry wins"));
        }
        return new NodeConfig.AvailabilityOverride(entries.byDefault(), entries.byResource());
    }

    ClassConfig jobClass(ObjectSettings jobClass) {
        Source source = new Source(jobClass, false);
        reportOutOfReach(jobClass);
        warnOfHosts(jobClass, source.items("HOSTLIST"));
        return new ClassConfig(
                source.whole("PRIORITY"),
                source.items("HOSTLIST"),
                nodeSet(source.text("DEFAULT.NODESET")),
                source.seconds("DEFAULT.WCLIMIT"),
                source.seconds("MAX.CPUTIME"),
                source.seconds("MAX.WCLIMIT"),
                source.count("MAX.PROC"),
                source.count("MIN.PROC"),
                source.choice("NODEACCESSPOLICY", NodeAccessPolicy.class),
                source.choice("FORCENODEACCESSPOLICY", NodeAccessPolicy.class),
                source.items("REQ.FEATURES"),
                source.text("QDEF"),
                source.items("QLIST"),
                target(source.text("FSTARGET")),
                source.decimal("CHARGERATE"),
                failure(source.text("RESFAILPOLICY")),
                source.items("JOBFLAGS"));
    }

    /** Reports numbers in brackets, which find other nodes than they seem to. */
    private void warnOfHosts(ObjectSettings jobClass, List<String> hosts) {
        Origin origin = jobClass.origin("HOSTLIST");
        for (String host : hosts) {
            Optional<BracketedNumbers> numbers = BracketedNumbers.in(host);
            if (numbers.isPresent() && origin != null) {
                settings.report(
                        Kind.DOUBTFUL,
                        origin,
                        "CLASSCFG[" + jobClass.id() + "] HOSTLIST",
                        "'" + host + "' is a regular expression, where "
                                + numbers.get().brackets() + " stands for one character; name the nodes from "
                                + numbers.get().first() + " to " + numbers.get().last() + " separated by commas");
            }
        }
    }

    /** Reports limits of a class that no job can keep. */
    private void reportOutOfReach(ObjectSettings jobClass) {
        Source source = new Source(jobClass, false);
        Integer least = source.count("MIN.PROC");
        Integer most = source.count("MAX.PROC");
        Origin origin = jobClass.origin("MIN.PROC");
        if (least != null && most != null && least > most && origin != null) {
            settings.report(
                    Kind.DOUBTFUL,
                    origin,
                    "CLASSCFG[" + jobClass.id() + "] MIN.PROC",
                    least + " is more than MAX.PROC, " + most + "; no job of the class can start");
        }
    }

    static PartitionConfig partition(ObjectSettings partition) {
        Source source = new Source(partition, false);
        String allocation = source.text("NODEALLOCATIONPOLICY");
        return new PartitionConfig(
                allocation == null ? null : AllocationChoice.of(allocation),
                source.choice("RESERVATIONPOLICY", ReservationPolicy.class),
                source.choice("NODEACCESSPOLICY", NodeAccessPolicy.class),
                source.items("FLAGS").contains("SHAREDMEM"),
                failure(source.text("JOBACTIONONNODEFAILURE")));
    }

    static QosConfig qos(ObjectSettings qos) {
        Source source = new Source(qos, false);
        Long queueTimeWeight = source.whole("QTWEIGHT");
        Long xfactorWeight = source.whole("XFWEIGHT");
        return new QosConfig(
                source.whole("PRIORITY"),
                source.items("QFLAGS"),
                queueTimeWeight == null ? 0 : queueTimeWeight,
                xfactorWeight == null ? 0 : xfactorWeight,
                source.seconds("QTTARGET"),
                source.decimal("XFTARGET"),
                target(source.text("FSTARGET")),
                source.decimal("CHARGERATE"));
    }

    static CredentialConfig credential(ObjectSettings credential) {
        Source source = new Source(credential, false);
        return new CredentialConfig(
                source.whole("PRIORITY"),
                target(source.text("FSTARGET")),
                source.text("QDEF"),
                source.items("QLIST"),
                source.text("CDEF"),
                source.text("ADEF"),
                source.text("EMAILADDRESS"),
                source.items("MANAGERS"),
                source.decimal("CHARGERATE"),
                source.items("JOBFLAGS"));
    }

    private static @Nullable NodeSetSpec nodeSet(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return NodeSetSpec.of(NodeSetText.parse(text));
        } catch (BadValueException e) {
            throw new IllegalStateException("a legal node set is not: " + e.reason(), e);
        }
    }

    private static @Nullable FairshareTarget target(@Nullable String text) {
        if (text == null) {
            return null;
        }
        FairshareTarget.Kind kind = text.indexOf('+') >= 0
                ? FairshareTarget.Kind.FLOOR
                : text.indexOf('-') >= 0 ? FairshareTarget.Kind.CEILING : FairshareTarget.Kind.TARGET;
        return new FairshareTarget(
                Double.parseDouble(text.replace("%", "").replace("+", "").replace("-", "")), kind);
    }

    private static @Nullable NodeFailurePolicy failure(@Nullable String text) {
        return text == null ? null : NodeFailurePolicy.of(text);
    }

    private static SortedMap<String, Long> counts(List<String> items) {
        SortedMap<String, Long> counts = new TreeMap<>();
        for (String item : items) {
            int colon = item.lastIndexOf(':');
            counts.put(item.substring(0, colon), Long.valueOf(item.substring(colon + 1)));
        }
        return counts;
    }

    private static SortedMap<String, String> variables(List<String> items) {
        SortedMap<String, String> variables = new TreeMap<>();
        for (String item : items) {
            int equals = item.indexOf('=');
            variables.put(equals < 0 ? item : item.substring(0, equals), equals < 0 ? "" : item.substring(equals + 1));
        }
        return variables;
    }

    private static String beforeColon(String text) {
        int colon = text.indexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }

    /** Values that were written, and null for those that were not. */
    private record Source(ObjectSettings object, boolean ownOnly) {
        private boolean has(String name) {
            return ownOnly ? object.isOwn(name) : object.isSet(name);
        }

        @Nullable
        String text(String name) {
            return has(name) ? object.text(name) : null;
        }

        List<String> items(String name) {
            return has(name) ? new ArrayList<>(object.items(name)) : List.of();
        }

        @Nullable
        Long whole(String name) {
            return has(name) ? object.whole(name) : null;
        }

        @Nullable
        Integer count(String name) {
            return has(name) ? object.count(name) : null;
        }

        /** A limit as a number with a fraction; without limit, the largest there is. */
        @Nullable
        Double number(String name) {
            return has(name) ? (double) object.whole(name) : null;
        }

        @Nullable
        Double decimal(String name) {
            return has(name) ? object.decimal(name) : null;
        }

        @Nullable
        Long seconds(String name) {
            return has(name) ? Math.min(PolicyTime.LONGEST, object.seconds(name)) : null;
        }

        <E extends Enum<E>> @Nullable E choice(String name, Class<E> type) {
            String text = text(name);
            return text == null ? null : Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
        }
    }
}
