package io.weir.loop;

import io.weir.loop.turn.Turns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What happened in a life, in order: always as a hash, and as text if somebody wants to read it. */
final class Trace {
    private static final long PRIME = 1_099_511_628_211L;

    private final Turns turns;
    private final boolean kept;
    private final List<String> lines = new ArrayList<>();
    private long hash = 0xcbf29ce484222325L;

    Trace(Turns turns, boolean kept) {
        this.turns = turns;
        this.kept = kept;
    }

    /** Notes something. */
    void note(String what) {
        mix(turns.now());
        mix(what.hashCode());
        if (kept) {
            lines.add(String.format("%9.3f %s", turns.now() / 1e6, what));
        }
    }

    /** Notes a record that was committed. */
    void committed(ConsumerRecord<byte[], byte[]> record) {
        CRC32 crc = new CRC32();
        if (record.key() != null) {
            crc.update(record.key());
        }
        if (record.value() != null) {
            crc.update(record.value());
        }
        mix(turns.now());
        mix(record.topic().hashCode());
        mix(record.offset());
        mix(record.timestamp());
        mix(crc.getValue());
        if (kept) {
            lines.add(String.format(
                    "%9.3f committed %s@%d %s %08x",
                    turns.now() / 1e6,
                    record.topic(),
                    record.offset(),
                    record.key() == null ? "-" : new String(record.key(), StandardCharsets.UTF_8),
                    crc.getValue()));
        }
    }

    private void mix(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 29;
    }

    long hash() {
        return hash;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
