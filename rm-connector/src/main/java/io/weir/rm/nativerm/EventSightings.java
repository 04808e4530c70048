package io.weir.rm.nativerm;

import io.weir.rm.nativerm.text.GenericEventMark;
import io.weir.schemas.GenericEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives generic events of the text a time: the one told, else when this process first saw the event in a poll, for as long
 * as polls show it. One thread.
 */
final class EventSightings {
    private final String cluster;
    private final String source;
    private Map<List<String>, Instant> before = new HashMap<>();
    private Map<List<String>, Instant> present = new HashMap<>();

    EventSightings(String cluster, String source) {
        this.cluster = cluster;
        this.source = source;
    }

    /** Returns the events behind {@code marks} on an object, in a poll at {@code now}. */
    List<GenericEvent> events(String type, String id, List<GenericEventMark> marks, Instant now) {
        List<GenericEvent> events = new ArrayList<>();
        for (GenericEventMark mark : marks) {
            List<String> which = List.of(type, id, mark.name(), mark.message());
            Instant time = mark.time() != null ? mark.time() : before.getOrDefault(which, now);
            present.put(which, time);
            events.add(GenericEvent.newBuilder()
                    .setCluster(cluster)
                    .setName(mark.name())
                    .setObjectType(type)
                    .setObjectId(id)
                    .setMessage(mark.message())
                    .setTime(time)
                    .setSource(source)
                    .build());
        }
        return events;
    }

    /** Ends a poll: what it did not show is forgotten. */
    void keepSeen() {
        before = present;
        present = new HashMap<>();
    }
}
