package io.weir.scheduler.core.policy.node;

/** TASKDISTRIBUTIONPOLICY: how tasks are dealt to the chosen nodes. */
public enum TaskDistribution {
    /** As {@link #PACK}. */
    DEFAULT,
    /** Each node is filled before the next. */
    PACK,
    /** One task to each chosen node in turn. */
    RR,
    /** One task to each of as many nodes as possible. */
    DISPERSE;

    /** Returns whether each node is filled before the next. */
    public boolean fills() {
        return switch (this) {
            case DEFAULT, PACK -> true;
            case RR, DISPERSE -> false;
        };
    }
}
