package io.weir.scheduler.core.trigger;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a threshold may be about, and of which kind of object it is measured. */
public enum TriggerMetric {
    /** A generic metric, named by the threshold. */
    GMETRIC("node"),
    CPULOAD("node"),
    AVAILMEM("node"),
    AVAILPROC("node"),
    /** Processors of a reservation that its jobs hold, in percent. */
    USAGE("rsv"),
    /** Jobs that wait. */
    BACKLOG("scheduler"),
    /** Nodes without a job. */
    FREENODES("scheduler"),
    /** Nodes that nothing can be planned on. */
    DOWNNODES("scheduler");

    private static final List<TriggerMetric> ALL = List.of(values());

    private final String objectType;

    TriggerMetric(String objectType) {
        this.objectType = objectType;
    }

    /** Returns the metric that is written {@code word}, in lower case; null for none. */
    static @Nullable TriggerMetric of(String word) {
        return ALL.stream().filter(each -> each.word().equals(word)).findFirst().orElse(null);
    }

    /** Returns whether objects of {@code objectType} are measured so. */
    boolean fits(String objectType) {
        return this.objectType.equals(objectType);
    }

    /** Returns how it is written. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
