package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.AllocationPolicyKind;
import io.weir.scheduler.core.policy.node.NodeFailurePolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The policies that hold for a job, each with the level it comes from: the job itself, its class, its partition, the site,
 * or the built-in default; levels that were written name file and line.
 */
public final class JobPolicies {
    private static final String ALLOCATION = "NODEALLOCATIONPOLICY";
    private static final String ACCESS = "NODEACCESSPOLICY";
    private static final String FAILURE = "NODEALLOCRESFAILUREPOLICY";
    private static final String FAILURE_ALIAS = "JOBACTIONONNODEFAILURE";

    private final PolicySettings settings;

    /** Looks things up in {@code settings}, the configuration in force. */
    public JobPolicies(PolicySettings settings) {
        this.settings = settings;
    }

    /**
     * A policy in force.
     *
     * @param name what it decides, such as NALLOCPOLICY
     * @param value what it says
     * @param source level it comes from, for people
     */
    public record Effective(String name, String value, String source) {}

    /**
     * Returns the policies that hold for {@code job}.
     *
     * @param partitions partitions it has nodes in, or may have
     * @param rules node set rules it is placed by; null for none
     */
    public List<Effective> of(Job job, Collection<String> partitions, @Nullable NodeSetRules rules) {
        List<Effective> all = new ArrayList<>();
        allocation(job, partitions, all);
        if (rules != null) {
            String source = rules.sources().spec().name().toLowerCase(Locale.ROOT);
            all.add(new Effective("NODESET", rules.text() + (rules.optional() ? " optional" : ""), source));
        }
        all.add(failure(job, partitions));
        all.add(access(job));
        return all;
    }

    private void allocation(Job job, Collection<String> partitions, List<Effective> into) {
        AllocationChoice own = job.request().extension().place().allocation();
        if (own != null) {
            into.add(new Effective("NALLOCPOLICY", text(own), "job"));
            return;
        }
        boolean others = partitions.isEmpty();
        for (String partition : new TreeSet<>(partitions)) {
            Effective local = attribute("NALLOCPOLICY", "PARCFG", partition, ALLOCATION, "partition");
            if (local != null) {
                into.add(local);
            }
            others |= local == null;
        }
        if (others) {
            into.add(site("NALLOCPOLICY", ALLOCATION));
        }
    }

    private Effective failure(Job job, Collection<String> partitions) {
        JobExtension.Failure own = job.request().extension().failure();
        String policy = own.policy();
        if (policy != null) {
            return new Effective("RESFAILPOLICY", policy, "job");
        } else if (own.noKill()) {
            return new Effective("RESFAILPOLICY", NodeFailurePolicy.SURVIVE.toString(), "job, nokill");
        }
        Effective found = attribute(
                "RESFAILPOLICY", "CLASSCFG", job.request().credentials().jobClass(), "RESFAILPOLICY", "class");
        if (found == null && partitions.size() == 1) {
            found = attribute("RESFAILPOLICY", "PARCFG", partitions.iterator().next(), FAILURE_ALIAS, "partition");
        }
        if (found != null) {
            return found;
        }
        boolean byAlias = settings.origin(FAILURE) == null && settings.origin(FAILURE_ALIAS) != null;
        return site("RESFAILPOLICY", byAlias ? FAILURE_ALIAS : FAILURE);
    }

    private Effective access(Job job) {
        String jobClass = job.request().credentials().jobClass();
        String asked = job.request().options().nodeAccess();
        Effective found = attribute("NACCESSPOLICY", "CLASSCFG", jobClass, "FORCENODEACCESSPOLICY", "class, forced");
        if (found == null && asked != null) {
            found = new Effective("NACCESSPOLICY", asked.toUpperCase(Locale.ROOT), "job");
        }
        if (found == null) {
            found = attribute("NACCESSPOLICY", "CLASSCFG", jobClass, ACCESS, "class");
        }
        return found != null ? found : site("NACCESSPOLICY", ACCESS);
    }

    private Effective site(String name, String parameter) {
        PolicyValue value = settings.value(parameter);
        Origin origin = settings.origin(parameter);
        return new Effective(name, value == null ? "" : value.text(), origin == null ? "default" : "site, " + origin);
    }

    private @Nullable Effective attribute(
            String name, String parameter, @Nullable String id, String attribute, String level) {
        ObjectSettings object = settings.object(parameter, id == null ? "DEFAULT" : id);
        Origin origin = object.origin(attribute);
        PolicyValue value = object.value(attribute);
        return origin == null || value == null ? null : new Effective(name, value.text(), level + ", " + origin);
    }

    private static String text(AllocationChoice choice) {
        return choice.kind() == AllocationPolicyKind.PLUGIN
                ? "PLUGIN:" + choice.plugin()
                : choice.kind().name();
    }
}
