package io.weir.scheduler.core.job;

import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.schemas.JobNodeFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node that failed under a running job.
 *
 * @param nodeId node
 * @param procs processors the job had there
 * @param master whether its first task was there
 * @param since when the node was found down, epoch seconds; {@link Job#NONE} while it is only missing from what the
 *     resource manager says the job has
 * @param action what was done about it; null while nothing was
 * @param replacement node that was ordered in its place; null for none
 * @param refused nodes that were ordered in its place and refused, in the order in which they were tried
 */
public record FailedNode(
        String nodeId,
        int procs,
        boolean master,
        long since,
        @Nullable FailureAction action,
        @Nullable String replacement,
        List<String> refused) {
    public FailedNode {
        refused = List.copyOf(refused);
    }

    /** A node that failed and about which nothing was done. */
    public FailedNode(String nodeId, int procs, boolean master, long since) {
        this(nodeId, procs, master, since, null, null, List.of());
    }

    static FailedNode from(JobNodeFailure failure) {
        Instant since = failure.getSince();
        String action = failure.getAction();
        return new FailedNode(
                failure.getNodeId(),
                failure.getProcs(),
                failure.getMaster(),
                since == null ? Job.NONE : since.getEpochSecond(),
                action == null ? null : FailureAction.valueOf(action),
                failure.getReplacement(),
                failure.getRefused());
    }

    JobNodeFailure toRecord() {
        return new JobNodeFailure(
                nodeId,
                procs,
                master,
                since == Job.NONE ? null : Instant.ofEpochSecond(since),
                action == null ? null : action.name(),
                replacement,
                refused);
    }

    /** Returns whether the node was seen to be down. */
    public boolean confirmed() {
        return since != Job.NONE;
    }

    /** Returns this failure as seen at {@code instant}. */
    public FailedNode confirmedAt(long instant) {
        return new FailedNode(nodeId, procs, master, instant, action, replacement, refused);
    }

    /** Returns this failure with what was done about it; null takes that back. */
    public FailedNode answeredBy(@Nullable FailureAction done) {
        return new FailedNode(nodeId, procs, master, since, done, replacement, refused);
    }

    /** Returns this failure with a node ordered in its place; null takes that back. */
    public FailedNode replacedBy(@Nullable String node) {
        return new FailedNode(nodeId, procs, master, since, action, node, refused);
    }

    /** Returns this failure with the node that was ordered in its place as one that the resource manager refused. */
    public FailedNode refusedReplacement() {
        if (replacement == null) {
            return this;
        }
        List<String> all = new ArrayList<>(refused);
        all.add(replacement);
        return new FailedNode(nodeId, procs, master, since, action, null, all);
    }
}
