package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.parameter.IndexRule;
import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.NodeSetText;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import io.weir.scheduler.core.policy.nodeset.NodeSetSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the NODESET parameters and reports combinations that cannot work. */
final class NodeSetReader {
    private final PolicySettings settings;

    NodeSetReader(PolicySettings settings) {
        this.settings = settings;
    }

    NodeSetSettings read() {
        NodeSetPolicy policy = settings.choice("NODESETPOLICY", NodeSetPolicy.class);
        NodeSetAttribute attribute = settings.choice("NODESETATTRIBUTE", NodeSetAttribute.class);
        NodeSetPriority priority = settings.requiredChoice("NODESETPRIORITYTYPE", NodeSetPriority.class);
        double tolerance = settings.decimal("NODESETTOLERANCE");
        if (policy != null && attribute == null) {
            report(Kind.BAD_VALUE, "NODESETPOLICY", "needs NODESETATTRIBUTE, too; node sets stay off");
            policy = null;
        }
        if (attribute != null && attribute != NodeSetAttribute.PROCSPEED) {
            if (tolerance > 0) {
                report(Kind.DOUBTFUL, "NODESETTOLERANCE", "only PROCSPEED sets have a tolerance; ignored");
                tolerance = 0;
            }
            if (priority == NodeSetPriority.BESTRESOURCE) {
                report(Kind.DOUBTFUL, "NODESETPRIORITYTYPE", "BESTRESOURCE needs PROCSPEED sets; acts as FIRSTFIT");
            }
        }
        if (priority == NodeSetPriority.MINLOSS && attribute != null && !minLossWorks(attribute, tolerance)) {
            report(
                    Kind.DOUBTFUL,
                    "NODESETPRIORITYTYPE",
                    "MINLOSS needs PROCSPEED sets with a tolerance, or FEATURE sets in a SHAREDMEM partition;"
                            + " acts as FIRSTFIT");
        }
        NodeSetPlus plus = settings.choice("NODESETPLUS", NodeSetPlus.class);
        return new NodeSetSettings(
                policy,
                attribute,
                list(attribute),
                settings.value("NODESETISOPTIONAL") instanceof PolicyValue.Flag optional ? optional.on() : null,
                Math.min(PolicyTime.LONGEST, settings.seconds("NODESETDELAY")),
                tolerance,
                priority,
                plus == null ? NodeSetPlus.NONE : plus);
    }

    private boolean minLossWorks(NodeSetAttribute attribute, double tolerance) {
        if (attribute == NodeSetAttribute.PROCSPEED) {
            return tolerance > 0;
        }
        List<ObjectSettings> partitions = new ArrayList<>(settings.objects("PARCFG"));
        partitions.add(settings.object("PARCFG", IndexRule.DEFAULT_INDEX));
        return attribute == NodeSetAttribute.FEATURE
                && partitions.stream()
                        .anyMatch(partition -> partition.items("FLAGS").contains("SHAREDMEM"));
    }

    private List<String> list(@Nullable NodeSetAttribute attribute) {
        List<String> written = settings.items("NODESETLIST");
        if (written.isEmpty() || attribute == null) {
            return List.of();
        }
        List<String> legal = new ArrayList<>();
        for (String value : written) {
            try {
                NodeSetText.values(attribute.name(), value).stream()
                        .filter(part -> !legal.contains(part))
                        .forEach(legal::add);
            } catch (BadValueException e) {
                report(Kind.BAD_VALUE, "NODESETLIST", e.reason());
            }
        }
        return legal;
    }

    private void report(Kind kind, String parameter, String message) {
        Origin origin = settings.origin(parameter);
        if (origin != null) {
            settings.report(kind, origin, parameter, message);
        }
    }
}
