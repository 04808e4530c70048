package io.weir.scheduler.core.state;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeAttributes;
import io.weir.scheduler.core.policy.node.AvailabilityMeasure;
import io.weir.scheduler.core.policy.node.ResourceKind;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** In what two versions of a job or of a node have to agree for plans made with one to hold with the other. Stateless. */
final class PlanningEquivalence {
    private PlanningEquivalence() {}

    /** Returns whether {@code job} is active and holds what {@code old} holds. */
    static boolean sameHold(Job old, Job job) {
        return job.active() && (old.shares() == job.shares() || old.shares().equals(job.shares()));
    }

    /** Returns whether an active job that holds what it held means the same to the others. */
    static boolean samePresence(Job old, Job job) {
        return old.limitEnd() == job.limitEnd()
                && old.plannedEnd() == job.plannedEnd()
                && Objects.equals(old.qos(), job.qos())
                && old.request().equals(job.request());
    }

    /** Returns whether {@code job} waits for what {@code old}, which waits, waits for. */
    static boolean sameDemand(Job old, Job job) {
        return job.waiting()
                && old.request().equals(job.request())
                && old.notBefore() == job.notBefore()
                && Objects.equals(old.qos(), job.qos());
    }

    /**
     * Returns whether two versions of a node offer the same.
     *
     * @param before what the policy made of {@code old}; null when that is not known
     * @param effective what it makes of {@code node}; null when nothing is known of it
     */
    static boolean sameOffer(Node old, @Nullable EffectiveNode before, Node node, @Nullable EffectiveNode effective) {
        return before != null
                && before.isExpectedLike(effective)
                && old.index() == node.index()
                && old.attributes().equals(node.attributes())
                && old.plannable() == node.plannable()
                && old.accepting() == node.accepting()
                && samePresence(old, node, effective);
    }

    /** Returns whether two versions of a node give the same to a job that would start now. */
    private static boolean samePresence(Node old, Node node, @Nullable EffectiveNode effective) {
        NodeAttributes before = old.attributes();
        NodeAttributes after = node.attributes();
        boolean measured = effective == null
                || effective.maxLoad() > 0
                || Arrays.stream(ResourceKind.values())
                        .anyMatch(resource -> effective.measure(resource) != AvailabilityMeasure.DEDICATED);
        return before.poweredOn() == after.poweredOn()
                && before.powered() == after.powered()
                && before.configured().equals(after.configured())
                && before.features().equals(after.features())
                && before.classes().equals(after.classes())
                && before.gres().equals(after.gres())
                && before.networks().equals(after.networks())
                && before.partition().equals(after.partition())
                && (!measured || before.usage().equals(after.usage()));
    }
}
