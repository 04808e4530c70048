package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.ClassConfig;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * With whom a job shares its nodes. The strongest word counts: the class's FORCENODEACCESSPOLICY, the flag DEDICATED of
 * its quality of service, the job's own, the class's NODEACCESSPOLICY, then what holds for the node.
 */
public final class NodeAccess {
    private NodeAccess() {}

    /** Returns the policy {@code job} has on {@code node}. */
    static NodeAccessPolicy policy(SitePolicy site, Job job, EffectiveNode node) {
        NodeAccessPolicy anywhere = anywhere(site, job);
        return anywhere != null ? anywhere : node.access();
    }

    /** Returns the policy {@code job} has on every node; null when it is up to the node. */
    public static @Nullable NodeAccessPolicy anywhere(SitePolicy site, Job job) {
        ClassConfig config = site.jobClass(job.request().credentials().jobClass());
        NodeAccessPolicy forced = config.forcedAccess();
        if (forced != null) {
            return forced;
        }
        if (dedicated(site, job)) {
            return NodeAccessPolicy.SINGLEJOB;
        }
        NodeAccessPolicy asked = named(job.request().options().nodeAccess());
        return asked != null ? asked : config.access();
    }

    private static boolean dedicated(SitePolicy site, Job job) {
        String qos = job.qos();
        return qos != null && !site.qos().isEmpty() && site.qos(qos).flags().contains("DEDICATED");
    }

    /**
     * Returns whether {@code job} under {@code policy} may share a node with {@code other} under its policy; one that gave its
     * processors up is in nobody's way.
     */
    static boolean together(Job job, NodeAccessPolicy policy, Job other, NodeAccessPolicy othersPolicy) {
        return job.procsReleased()
                || other.procsReleased()
                || (allows(policy, othersPolicy, job, other) && allows(othersPolicy, policy, other, job));
    }

    /** Returns whether a job under {@code policy} gets the whole of its nodes. */
    public static boolean exclusive(NodeAccessPolicy policy) {
        return policy == NodeAccessPolicy.SINGLEJOB || policy == NodeAccessPolicy.SINGLETASK;
    }

    /** Returns whether it matters under {@code policy} to whom a job belongs. */
    static boolean personal(NodeAccessPolicy policy) {
        return switch (policy) {
            case SHARED, SHAREDONLY, SINGLEJOB, SINGLETASK -> false;
            case SINGLEUSER, SINGLEGROUP, SINGLEACCOUNT, UNIQUEUSER -> true;
        };
    }

    /** Returns whether it matters to whom a job belongs that asks for the policy of that name. */
    static boolean personal(String asked) {
        NodeAccessPolicy policy = named(asked);
        return policy != null && personal(policy);
    }

    private static boolean allows(NodeAccessPolicy policy, NodeAccessPolicy others, Job job, Job other) {
        JobCredentials mine = job.request().credentials();
        JobCredentials its = other.request().credentials();
        return switch (policy) {
            case SHARED -> true;
            case SHAREDONLY -> others == NodeAccessPolicy.SHARED || others == NodeAccessPolicy.SHAREDONLY;
            case SINGLEJOB, SINGLETASK -> false;
            case SINGLEUSER -> same(mine.user(), its.user());
            case SINGLEGROUP -> same(mine.group(), its.group());
            case SINGLEACCOUNT -> same(mine.account(), its.account());
            case UNIQUEUSER -> !same(mine.user(), its.user());
        };
    }

    private static boolean same(@Nullable String a, @Nullable String b) {
        return a != null && Objects.equals(a, b);
    }

    private static @Nullable NodeAccessPolicy named(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String upper = text.toUpperCase(Locale.ROOT);
        for (NodeAccessPolicy policy : NodeAccessPolicy.values()) {
            if (policy.name().equals(upper)) {
                return policy;
            }
        }
        return null;
    }
}
