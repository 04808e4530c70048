package io.weir.scheduler.core.event;

import java.util.Comparator;

/**
 * One event on one object. Ordered by object, then event, so that what concerns an object lies together.
 *
 * @param objectType kind of object: node, job, rsv, rm, scheduler
 * @param objectId its id
 * @param event name of the event
 */
public record EventKey(String objectType, String objectId, String event) implements Comparable<EventKey> {
    private static final Comparator<EventKey> ORDER = Comparator.comparing(EventKey::objectType)
            .thenComparing(EventKey::objectId)
            .thenComparing(EventKey::event);

    @Override
    public int compareTo(EventKey other) {
        return ORDER.compare(this, other);
    }

    /** Returns the id under which it is stored: no two keys have the same. */
    String storedId() {
        return objectType + ":" + event.length() + ":" + event + ":" + objectId;
    }
}
