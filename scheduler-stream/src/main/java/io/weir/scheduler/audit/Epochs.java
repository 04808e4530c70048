package io.weir.scheduler.audit;

import io.weir.scheduler.core.fact.Fact;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.TopicCount;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How far each connector had come by the end of the journal; tells facts that still wait from facts that are odd. */
final class Epochs {
    private final Map<String, Progress> connectors = new TreeMap<>();

    /** Takes in a journaled fact. */
    void apply(String cluster, Fact fact) {
        String connector = fact.connector();
        if (connector == null || !(fact.record() instanceof Heartbeat heartbeat)) {
            return;
        }
        Progress progress = connectors.computeIfAbsent(cluster + "/" + connector, id -> new Progress());
        if (heartbeat.getKind() == HeartbeatKind.HELLO) {
            progress.epoch = fact.epoch();
            progress.heartbeat = 0;
            progress.counts.clear();
        } else {
            progress.heartbeat = heartbeat.getNumber();
            for (TopicCount count : heartbeat.getCounts()) {
                progress.counts.put(count.getTopic(), count.getCount());
            }
        }
    }

    /** Returns the epoch in force at the end; -1 when the connector is unknown. */
    long epoch(String cluster, String connector) {
        @Nullable Progress progress = connectors.get(cluster + "/" + connector);
        return progress == null ? -1 : progress.epoch;
    }

    /** Says whether the last heartbeat applied counts fact {@code sequence} of {@code topic}, without prefix. */
    boolean isCounted(String cluster, String connector, String topic, long sequence) {
        @Nullable Progress progress = connectors.get(cluster + "/" + connector);
        return progress != null && sequence <= progress.counts.getOrDefault(topic, 0L);
    }

    /** Returns the number of the last heartbeat applied. */
    long heartbeat(String cluster, String connector) {
        @Nullable Progress progress = connectors.get(cluster + "/" + connector);
        return progress == null ? 0 : progress.heartbeat;
    }

    private static final class Progress {
        private long epoch;
        private long heartbeat;
        private final Map<String, Long> counts = new TreeMap<>();
    }
}
