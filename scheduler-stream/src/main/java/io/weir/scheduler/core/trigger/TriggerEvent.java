package io.weir.scheduler.core.trigger;

import java.util.List;
import java.util.Locale;

/** What may fire a trigger (EType), and on which kinds of object. */
public enum TriggerEvent {
    CREATE("node job rsv scheduler"),
    START("job rsv rm scheduler"),
    END("node job rsv scheduler"),
    CANCEL("job rsv"),
    FAIL("node job rm scheduler"),
    HOLD("job"),
    MODIFY("job rsv scheduler"),
    PREEMPT("job"),
    CHECKPOINT("job"),
    MIGRATE("job"),
    STANDING("scheduler"),
    EPOCH("scheduler"),
    THRESHOLD("node rsv scheduler"),
    GEVENT("node");

    /** Kinds of object, separated by blanks. */
    private final String objectTypes;

    TriggerEvent(String objectTypes) {
        this.objectTypes = objectTypes;
    }

    /** Returns whether objects of {@code objectType} can have it. */
    boolean fits(String objectType) {
        return List.of(objectTypes.split(" ", -1)).contains(objectType);
    }

    /** Returns how it is written. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
