package io.weir.scheduler.query.image;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records of the state topics that the image leaves out because they cannot be read. Each is counted and logged once with
 * its place, however often the image is made anew, as long as it is among the last thousand. Thread-safe.
 */
public final class UnreadableRecords {
    private static final Logger log = LoggerFactory.getLogger(UnreadableRecords.class);
    private static final int REMEMBERED = 1_000;

    private final MeterRegistry meters;
    private final Map<String, Boolean> known = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Counts for nobody but the log. */
    public UnreadableRecords() {
        this(new SimpleMeterRegistry());
    }

    public UnreadableRecords(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Notes that the record at a place was left out because of {@code cause}. */
    synchronized void note(String topic, int partition, long offset, RuntimeException cause) {
        if (known.put(topic + "-" + partition + "@" + offset, true) == null) {
            Counter.builder("weir.api.records.unreadable")
                    .description("Records of the state topics that the API's image leaves out")
                    .tag("topic", topic)
                    .register(meters)
                    .increment();
            log.warn(
                    "Left out of the image: topic={} partition={} offset={}: {}",
                    topic,
                    partition,
                    offset,
                    cause.toString());
        }
    }
}
