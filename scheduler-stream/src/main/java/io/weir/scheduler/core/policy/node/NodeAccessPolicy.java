package io.weir.scheduler.core.policy.node;

/** NODEACCESSPOLICY: with whom the tasks of a job share a node. */
public enum NodeAccessPolicy {
    /** With any job. */
    SHARED,
    /** With any job that allows sharing itself. */
    SHAREDONLY,
    /** With no other job; the whole node is dedicated. */
    SINGLEJOB,
    /** With nothing; the whole node is dedicated to one task. */
    SINGLETASK,
    /** With jobs of the same user. */
    SINGLEUSER,
    /** With jobs of the same group. */
    SINGLEGROUP,
    /** With jobs of the same account. */
    SINGLEACCOUNT,
    /** With jobs of other users. */
    UNIQUEUSER
}
