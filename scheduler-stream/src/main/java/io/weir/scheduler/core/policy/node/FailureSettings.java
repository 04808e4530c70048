package io.weir.scheduler.core.policy.node;

/**
 * What the site does when nodes fail.
 *
 * @param job NODEALLOCRESFAILUREPOLICY or else JOBACTIONONNODEFAILURE: what happens to a job of the failed node
 * @param patienceSeconds JOBACTIONONNODEFAILUREDURATION: how long a node has to be down before its jobs feel it
 * @param reallocate JOBREALLOCATE: whether jobs that go on without a node get another one
 * @param silenceSeconds NODEPOLLTIMEOUT: silence of a resource manager after which its nodes count as down; 0 for never
 * @param passing what happens to nodes whose failure passes
 */
public record FailureSettings(
        NodeFailurePolicy job,
        long patienceSeconds,
        boolean reallocate,
        long silenceSeconds,
        TransientFailureSettings passing) {
    /** What an empty configuration uses. */
    public static final FailureSettings DEFAULT =
            new FailureSettings(NodeFailurePolicy.DEFAULT, 0, false, 300, TransientFailureSettings.DEFAULT);
}
