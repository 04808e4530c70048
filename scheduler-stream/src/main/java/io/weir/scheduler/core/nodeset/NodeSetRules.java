package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import io.weir.scheduler.core.policy.nodeset.NodeSetRequest;
import io.weir.scheduler.core.policy.nodeset.NodeSetSettings;
import io.weir.scheduler.core.policy.nodeset.NodeSetSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The node set rules one job is placed by: policy, attribute and list as a whole from the strongest source that gives
 * them, every other part from the strongest source that gives that part.
 *
 * @param policy how sets are used
 * @param attribute what forms a set
 * @param list values that may form sets, in order; empty for all found
 * @param optional whether the job may do without a set
 * @param delaySeconds how long a job that may is kept waiting for one
 * @param tolerance how far speeds within a PROCSPEED set may differ; 0 for other attributes
 * @param priority which of several usable sets is taken
 * @param plus what is done when no single set can hold the job
 * @param sources where all this comes from
 */
public record NodeSetRules(
        NodeSetPolicy policy,
        NodeSetAttribute attribute,
        List<String> list,
        boolean optional,
        long delaySeconds,
        double tolerance,
        NodeSetPriority priority,
        NodeSetPlus plus,
        Sources sources) {
    public NodeSetRules {
        list = List.copyOf(list);
    }

    /** Where each part comes from. */
    public record Sources(
            RuleSource spec,
            RuleSource optional,
            RuleSource delay,
            RuleSource tolerance,
            RuleSource priority,
            RuleSource plus) {}

    /**
     * Returns the rules for a job.
     *
     * @param site the site's parameters
     * @param ofClass default of the job's class; null for none
     * @param own what the job says
     * @return null when node sets do not concern it
     */
    public static @Nullable NodeSetRules of(NodeSetSettings site, @Nullable NodeSetSpec ofClass, NodeSetRequest own) {
        // The default of a class confines its jobs, unless the site says that sets are optional.
        Boolean given = site.optional();
        boolean dispensable = given != null ? given : ofClass == null;
        if (own.none() && dispensable) {
            return null;
        }
        NodeSetSpec spec = own.spec();
        RuleSource source = RuleSource.JOB;
        if (spec == null) {
            spec = ofClass;
            source = RuleSource.CLASS;
        }
        if (spec == null) {
            NodeSetPolicy policy = site.policy();
            NodeSetAttribute attribute = site.attribute();
            if (policy == null || attribute == null) {
                return null;
            }
            spec = new NodeSetSpec(policy, attribute, site.list());
            source = RuleSource.SITE;
        }
        Double tolerance = own.tolerance();
        double allowed = tolerance != null ? tolerance : site.tolerance();
        Boolean optional = own.optional();
        Long delay = own.delaySeconds();
        NodeSetPriority priority = own.priority();
        NodeSetPlus plus = own.plus();
        return new NodeSetRules(
                spec.policy(),
                spec.attribute(),
                spec.list(),
                optional != null ? optional : dispensable,
                delay != null ? delay : site.delaySeconds(),
                spec.attribute() == NodeSetAttribute.PROCSPEED ? allowed : 0,
                priority != null ? priority : site.priority(),
                plus != null ? plus : site.plus(),
                new Sources(
                        source,
                        optionalFrom(optional, given, ofClass),
                        source(delay),
                        source(tolerance),
                        source(priority),
                        source(plus)));
    }

    /** Returns policy, attribute and list as they are written. */
    public String text() {
        return policy + ":" + attribute + (list.isEmpty() ? "" : ":" + String.join(",", list));
    }

    private static RuleSource optionalFrom(
            @Nullable Boolean own, @Nullable Boolean given, @Nullable NodeSetSpec ofClass) {
        return own == null && given == null && ofClass != null ? RuleSource.CLASS : source(own);
    }

    private static RuleSource source(@Nullable Object own) {
        return own != null ? RuleSource.JOB : RuleSource.SITE;
    }
}
