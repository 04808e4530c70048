package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.NodeMatch;
import io.weir.scheduler.core.placement.Rejections;
import io.weir.scheduler.core.placement.selection.NodePlacer;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the nodes of a cluster say to requests at one instant. Requests that look alike to them are looked at once. */
final class NodeScans {
    /** Tasks to ask about where their number does not matter to a single node. */
    private static final int PLENTY = 10_000_000;

    private final NodeTable nodes;
    private final NodePlacer placement;
    private final Map<Shape, Scan> scans = new LinkedHashMap<>();

    /** Nodes looked at so far. */
    private long visits;

    /** What makes two requirements look alike to the nodes. */
    private record Shape(
            Requirement requirement,
            JobCredentials credentials,
            List<String> partitions,
            List<String> hosts,
            List<String> excludedHosts,
            List<String> otherClasses,
            @Nullable String access) {}

    /**
     * What the nodes say to a shape.
     *
     * @param ever tasks that an empty cluster could hold
     * @param room tasks that there is room for now
     * @param fixed nodes that can never take one, by reason
     * @param all nodes that cannot take one now, by reason, and what keeps the others from taking more
     * @param those nodes that could ever take one
     * @param everywhere whether these are all nodes
     */
    record Scan(long ever, long room, Rejections fixed, Rejections all, BitSet those, boolean everywhere) {}

    /** A requirement and what the nodes say to it. */
    record Finding(Requirement requirement, Scan scan) {
        long missing() {
            return requirement.tasks() - scan.room();
        }
    }

    NodeScans(ExplanationContext context) {
        nodes = context.nodes();
        placement = context.placement();
    }

    /** Returns how many nodes have been looked at. */
    long visits() {
        return visits;
    }

    /** Returns the first requirement that lacks room, or else the first one. */
    Finding of(Job job) {
        Finding first = null;
        for (Requirement requirement : job.request().requirements()) {
            Finding found = new Finding(requirement, of(job, requirement));
            if (found.missing() > 0) {
                return found;
            }
            first = first == null ? found : first;
        }
        if (first == null) {
            throw new IllegalStateException("job " + job.id() + " asks for nothing");
        }
        return first;
    }

    private Scan of(Job job, Requirement requirement) {
        Requirement plain = requirement.nodes() == null
                        && requirement.tasksPerNode() == null
                        && requirement.nodeCount().hasNoBound()
                ? new Requirement(PLENTY, requirement.resources(), requirement.demands(), null, null, false)
                : requirement;
        JobCredentials credentials = job.request().credentials();
        Shape shape = new Shape(
                plain,
                placement.personal()
                        ? new JobCredentials(
                                null,
                                credentials.user(),
                                credentials.group(),
                                credentials.account(),
                                credentials.jobClass(),
                                job.qos())
                        : new JobCredentials(null, null, null, null, credentials.jobClass(), null),
                job.request().options().partitions(),
                job.request().options().hosts(),
                job.request().options().excludedHosts(),
                job.request().options().otherClasses(),
                job.request().options().nodeAccess());
        Scan known = scans.get(shape);
        if (known == null) {
            known = look(job, plain);
            scans.put(shape, known);
        }
        return known;
    }

    private Scan look(Job job, Requirement requirement) {
        NodeMatch match = placement.feasibility().match(job, requirement);
        Rejections all = new Rejections();
        Candidates candidates = placement.candidates(job, requirement, null, all);
        visits += nodes.size();
        return new Scan(
                match.tasks(),
                candidates.totalTasks(),
                match.rejections(),
                all,
                match.nodes(),
                match.nodes().cardinality() == nodes.size());
    }
}
