package io.weir.scheduler.core.trigger;

import java.util.Comparator;

/**
 * An object that triggers are attached to.
 *
 * @param type node, job, rsv, rm or scheduler
 * @param id its id
 */
public record ObjectKey(String type, String id) implements Comparable<ObjectKey> {
    private static final Comparator<ObjectKey> ORDER =
            Comparator.comparing(ObjectKey::type).thenComparing(ObjectKey::id);

    @Override
    public int compareTo(ObjectKey other) {
        return ORDER.compare(this, other);
    }

    /** Returns the id under which it is stored. */
    String storedId() {
        return type + ":" + id;
    }
}
