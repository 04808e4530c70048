package io.weir.scheduler.core.placement.priority;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a node priority function may weigh; yes and no weigh 1 and 0. Names are read without regard to case. */
public enum NodePriorityComponent {
    /** Local disk available, MB. */
    ADISK(Timing.DYNAMIC),
    /** Memory available, MB. */
    AMEM(Timing.DYNAMIC),
    /** Learned suitability of the node for the job's application and size: 0 to 2, neutral 1. */
    APPLAFFINITY(Timing.JOB),
    /** Share of the application's recorded jobs on the node that failed: 0 to 1. */
    APPFAILRATE(Timing.JOB),
    /** Processors configured less dedicated. */
    APROCS(Timing.DYNAMIC),
    /** Whether the architecture is the one named, or the one the job asks for. */
    ARCH(Timing.STATIC, Index.OPTIONAL),
    /** Swap available, MB. */
    ASWAP(Timing.DYNAMIC),
    /** Disk configured, MB. */
    CDISK(Timing.STATIC),
    /** Memory configured, MB. */
    CMEM(Timing.STATIC),
    /** Charge rate. */
    COST(Timing.STATIC),
    /** Processors configured. */
    CPROCS(Timing.STATIC),
    /** Swap configured, MB. */
    CSWAP(Timing.STATIC),
    /** Whether the node has a feature. */
    FEATURE(Timing.STATIC, Index.REQUIRED),
    /** Unreserved seconds of the next 60 days, averaged over the processors. */
    FREETIME(Timing.STATIC),
    /** Current value of a generic metric; 0 when never reported. */
    GMETRIC(Timing.DYNAMIC, Index.REQUIRED),
    /** Active jobs on the node. */
    JOBCOUNT(Timing.DYNAMIC),
    /** One-minute load average, raised by what this iteration started. */
    LOAD(Timing.DYNAMIC),
    /** Mean time between failures, seconds. */
    MTBF(Timing.STATIC),
    /** Place in the order of nodes. */
    NODEINDEX(Timing.STATIC),
    /** Whether the operating system is the one the job asks for. */
    OS(Timing.JOB),
    /** Processors configured less dedicated, over the node's partition. */
    PARAPROCS(Timing.DYNAMIC),
    /** Whether the node is powered on. */
    POWER(Timing.DYNAMIC),
    /** Whether the node meets the job's preference. */
    PREF(Timing.JOB),
    /** Priority given by the administrator. */
    PRIORITY(Timing.STATIC),
    /** Uniform in [0,1), drawn once per node and iteration. */
    RANDOM(Timing.JOB),
    /** 1, 0 or -1 for positive, neutral (or no) and negative reservation affinity. */
    RSVAFFINITY(Timing.JOB),
    /** Processor speed when set, else node speed. */
    SPEED(Timing.STATIC),
    /** Suspended jobs on the node. */
    SUSPENDEDJCOUNT(Timing.DYNAMIC),
    /** Percentage of the tracked time with an active batch job. */
    USAGE(Timing.DYNAMIC);

    /** Largest contribution that {@link #RANDOM} may make, whatever its coefficient. */
    public static final double RANDOM_LIMIT = 32_768;

    /** What a component depends on. */
    public enum Timing {
        /** The node alone. */
        STATIC,
        /** The present: worth nothing for a start in the future. */
        DYNAMIC,
        /** The job or the moment of the decision. */
        JOB
    }

    /** Whether a component is followed by a name in brackets. */
    public enum Index {
        NONE,
        OPTIONAL,
        REQUIRED
    }

    private final Timing timing;
    private final Index index;

    NodePriorityComponent(Timing timing) {
        this(timing, Index.NONE);
    }

    NodePriorityComponent(Timing timing, Index index) {
        this.timing = timing;
        this.index = index;
    }

    /** Returns what the component depends on. */
    public Timing timing() {
        return timing;
    }

    /** Returns whether the component takes a name in brackets. */
    public Index index() {
        return index;
    }

    /** Returns the component called {@code name}; null when there is none. */
    static @Nullable NodePriorityComponent named(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (upper.equals("RESAFFINITY")) {
            return RSVAFFINITY;
        }
        for (NodePriorityComponent component : values()) {
            if (component.name().equals(upper)) {
                return component;
            }
        }
        return null;
    }
}
