package io.weir.rm.nativerm;

import io.weir.rm.nativerm.text.GenericEventMark;
import io.weir.schemas.GenericEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Gives generic events of the text a time: the one told, else when this process first saw the event in a poll, for as long
 * as polls show it. An event that two polls in a row do not show any more is over. One thread.
 */
final class EventSightings {
    private static final int POLLS_UNTIL_OVER = 2;

    private final String cluster;
    private final String source;
    private Map<List<String>, Instant> before = new HashMap<>();
    private Map<List<String>, Instant> present = new HashMap<>();

    /** Polls that did not show it since the last one that did, by type and id of the object and name of the event. */
    private final SortedMap<Key, Integer> absences = new TreeMap<>();

    private record Key(String type, String id, String name) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::type).thenComparing(Key::id).thenComparing(Key::name);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

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
            Key key = new Key(type, id, mark.name());
            absences.put(key, -1);
            events.add(event(key, time).setMessage(mark.message()).build());
        }
        return events;
    }

    /** Returns the events that are over, when everything was read of a poll at {@code now}. */
    List<GenericEvent> over(Instant now) {
        List<GenericEvent> over = new ArrayList<>();
        absences.replaceAll((key, absent) -> absent + 1);
        absences.entrySet().removeIf(entry -> {
            boolean gone = entry.getValue() >= POLLS_UNTIL_OVER;
            if (gone) {
                over.add(event(entry.getKey(), now).setActive(false).build());
            }
            return gone;
        });
        return over;
    }

    private GenericEvent.Builder event(Key key, Instant time) {
        return GenericEvent.newBuilder()
                .setCluster(cluster)
                .setName(key.name())
                .setObjectType(key.type())
                .setObjectId(key.id())
                .setTime(time)
                .setSource(source);
    }

    /** Ends a poll: what it did not show is forgotten. */
    void keepSeen() {
        before = present;
        present = new HashMap<>();
    }
}
