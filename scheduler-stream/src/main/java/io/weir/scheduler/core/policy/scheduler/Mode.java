package io.weir.scheduler.core.policy.scheduler;

/** SCHEDCFG MODE. */
public enum Mode {
    /** Decisions are carried out. */
    NORMAL,
    /** Decisions are published, none is carried out. */
    MONITOR
}
