package io.weir.scheduler.core.policy.node;

/**
 * What the site does when nodes fail.
 *
 * @param job NODEALLOCRESFAILUREPOLICY or else JOBACTIONONNODEFAILURE: what happens to a job of the failed node
 * @param patienceSeconds JOBACTIONONNODEFAILUREDURATION: how long a node has to be down before its jobs feel it
 * @param reallocate JOBREALLOCATE: whether jobs that go on without a node get another one
 */
public record FailureSettings(NodeFailurePolicy job, long patienceSeconds, boolean reallocate) {
    /** What an empty configuration uses. */
    public static final FailureSettings DEFAULT = new FailureSettings(NodeFailurePolicy.DEFAULT, 0, false);
}
