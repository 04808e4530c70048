package io.weir.loop;

import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Gives a fact that came before the next number, so that nobody can tell that it is a repetition. */
final class Renumbering {
    private final Map<String, Long> last = new HashMap<>();

    ConsumerRecord<byte[], byte[]> renumbered(ConsumerRecord<byte[], byte[]> record) {
        OptionalLong sequence = FactHeaders.SEQUENCE.get(record.headers());
        OptionalLong epoch = FactHeaders.EPOCH.get(record.headers());
        if (record.key() != null
                && sequence.isPresent()
                && epoch.isPresent()
                && !record.topic().endsWith("heartbeats")) {
            String cluster = EntityKey.parse(record.key()).cluster();
            String counted = cluster + "/" + record.topic() + "/" + epoch.getAsLong();
            long before = last.getOrDefault(counted, 0L);
            long number = sequence.getAsLong() <= before ? before + 1 : sequence.getAsLong();
            last.put(counted, number);
            FactHeaders.SEQUENCE.put(record.headers(), number);
        }
        return record;
    }
}
