package io.weir.scheduler.query.image;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records of the state topics that the image leaves out because they cannot be read. Each is counted once, and logged with
 * its place, however often the image is made anew, as long as it is among the last thousand; of many on one topic some are
 * logged ({@link UnreadableCount}). Whoever looks at the image is told while something is left out. Thread-safe.
 */
public final class UnreadableRecords {
    private static final Logger log = LoggerFactory.getLogger(UnreadableRecords.class);
    private static final int REMEMBERED = 1_000;
    private static final int MOST_LEFT_OUT = 10_000;

    private final MeterRegistry meters;
    private final Map<String, Boolean> known = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    private final UnreadableCount noted = new UnreadableCount();

    /** What is left out now. */
    private final Set<Entity> leftOut = ConcurrentHashMap.newKeySet();

    /**
     * Where a record lies.
     *
     * @param key what it stands for; null for nothing
     */
    record Place(
            String topic,
            int partition,
            long offset,
            @Nullable String key) {
        /** Returns what a later record with the same key stands for as well. */
        private Entity entity() {
            return new Entity(topic, key == null ? "@" + offset : key);
        }
    }

    /** A key of a topic. */
    private record Entity(String topic, String key) {}

    /** Counts for nobody but the log. */
    public UnreadableRecords() {
        this(new SimpleMeterRegistry());
    }

    public UnreadableRecords(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Says that an image is made anew, from the beginning of its topics. */
    void begin() {
        leftOut.clear();
    }

    /** Says that a record could be read: it stands for whatever its key had before. */
    void taken(Place place) {
        if (!leftOut.isEmpty()) {
            leftOut.remove(place.entity());
        }
    }

    /** Returns what to tell those who look at the image; empty while nothing is left out. */
    public Optional<String> warning() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        leftOut.forEach(entity -> counts.merge(entity.topic(), 1, Integer::sum));
        return counts.isEmpty()
                ? Optional.empty()
                : Optional.of("records of the state topics that cannot be read are left out: "
                        + counts.entrySet().stream()
                                .map(topic -> topic.getValue() + " of " + topic.getKey())
                                .collect(Collectors.joining(", "))
                        + "; the log says why");
    }

    /** Notes that the record at {@code place} was left out because of {@code cause}. */
    synchronized void note(Place place, RuntimeException cause) {
        String topic = place.topic();
        if (leftOut.size() < MOST_LEFT_OUT) {
            leftOut.add(place.entity());
        }
        if (known.put(topic + "-" + place.partition() + "@" + place.offset(), true) == null) {
            Counter.builder("weir.api.records.unreadable")
                    .description("Records of the state topics that the API's image leaves out")
                    .tag("topic", topic)
                    .register(meters)
                    .increment();
            noted.next(topic)
                    .ifPresent(count -> log.warn(
                            "Left out of the image: topic={} partition={} offset={}, number {} of this topic: {}",
                            topic,
                            place.partition(),
                            place.offset(),
                            count,
                            cause.toString()));
        }
    }
}
