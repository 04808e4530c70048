package io.weir.loop;

import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Gives a fact of an older epoch the latest one and the number that comes next in it, so that nobody can tell its age. */
final class Relabelling {
    private final Map<String, Long> epochs = new HashMap<>();
    private final Map<String, Long> last = new HashMap<>();

    ConsumerRecord<byte[], byte[]> relabelled(ConsumerRecord<byte[], byte[]> record) {
        Optional<String> connector = FactHeaders.CONNECTOR.get(record.headers());
        OptionalLong epoch = FactHeaders.EPOCH.get(record.headers());
        OptionalLong sequence = FactHeaders.SEQUENCE.get(record.headers());
        if (connector.isEmpty() || record.key() == null) {
            return record;
        }
        String cluster = EntityKey.parse(record.key()).cluster();
        String writer = cluster + "/" + connector.get();
        if (epoch.isEmpty()) {
            epochs.merge(writer, record.offset(), Math::max);
            return record;
        }
        long latest = epochs.getOrDefault(writer, epoch.getAsLong());
        String counted = cluster + "/" + record.topic() + "/" + latest;
        long number = last.getOrDefault(counted, 0L) + 1;
        if (epoch.getAsLong() < latest && !record.topic().endsWith("heartbeats")) {
            FactHeaders.EPOCH.put(record.headers(), latest);
            FactHeaders.SEQUENCE.put(record.headers(), number);
            last.put(counted, number);
        } else if (sequence.isPresent()) {
            last.merge(counted, sequence.getAsLong(), Math::max);
        }
        return record;
    }
}
