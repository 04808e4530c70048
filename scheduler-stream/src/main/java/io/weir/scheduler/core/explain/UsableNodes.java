package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.selection.NodePlacer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Which nodes lie in node sets that could hold a job that has to stay inside one. */
final class UsableNodes {
    private final NodePlacer placement;
    private final NodeSets sets;
    private final long now;

    UsableNodes(ExplanationContext context) {
        placement = context.placement();
        sets = context.sets();
        now = context.now();
    }

    /** Returns whether {@code job} may not do without node sets. */
    boolean matter(Job job) {
        NodeSetRules rules = sets.rules(job.request());
        return rules != null && !rules.optional();
    }

    /** Returns the nodes in sets that could hold all of requirement {@code number} now; null when it may do without. */
    @Nullable
    BitSet of(Job job, int number) {
        NodeSetRules rules = sets.rules(job.request());
        Requirement requirement = job.request().requirements().get(number);
        if (rules == null || rules.optional() || !requirement.demands().hosts().isEmpty()) {
            return null;
        }
        Candidates candidates = placement.candidates(job, requirement, null, null);
        return sets.usable(
                rules,
                candidates,
                requirement,
                (among, tasks, wanted) ->
                        placement.choose(job, number, requirement.part(tasks, wanted), among, now, true));
    }
}
