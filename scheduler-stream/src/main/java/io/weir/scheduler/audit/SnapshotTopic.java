package io.weir.scheduler.audit;

import io.weir.scheduler.audit.snapshot.Snapshot;
import io.weir.scheduler.audit.snapshot.SnapshotChunks;
import io.weir.schemas.SnapshotChunk;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The snapshots that their topic holds. It is read when the first is asked for, and one snapshot is in memory at a time. What cannot
 * be read is noted and left out. For one thread.
 */
final class SnapshotTopic {
    /** More parts than the largest snapshot has. */
    private static final int MOST_PARTS = 1 << 16;

    private final RecordLog log;
    private final String topic;
    private final InputReader decoder;
    private final List<RecordLog.Corrupt> corrupt;

    /** By cluster, oldest first; empty before they are listed. */
    private Map<String, List<Entry>> entries = Map.of();

    private boolean listed;

    /** Reads {@code log}; places that cannot be read are added to {@code corrupt}. */
    SnapshotTopic(RecordLog log, TopicNames names, InputReader decoder, List<RecordLog.Corrupt> corrupt) {
        this.log = log;
        this.topic = names.full(Topics.SNAPSHOTS);
        this.decoder = decoder;
        this.corrupt = corrupt;
    }

    /**
     * A snapshot on the topic, all of whose parts are there.
     *
     * @param iteration the last iteration in it
     * @param sequence sequence of the last input in it
     * @param hash of its bytes, as its parts state it
     * @param partition where its parts are
     * @param from offset of the first of them
     * @param to offset behind the last of them
     */
    record Entry(
            String cluster, long iteration, long sequence, String hash, TopicPartition partition, long from, long to) {
        private boolean hasPart(SnapshotChunk chunk) {
            return chunk.getCluster().equals(cluster)
                    && chunk.getNumber() == iteration
                    && chunk.getJournalSequence() == sequence
                    && chunk.getStateHash().equals(hash);
        }
    }

    /** Returns the snapshots of a cluster, oldest first. */
    List<Entry> of(String cluster) {
        if (!listed) {
            entries = list();
            listed = true;
        }
        return entries.getOrDefault(cluster, List.of());
    }

    /**
     * Reads a snapshot.
     *
     * @throws IOException when its bytes are not those that were written, or this build cannot read them
     */
    Snapshot read(Entry entry) throws IOException {
        Map<Integer, byte[]> parts = new LinkedHashMap<>();
        try (RecordLog.Reader reader = log.read(entry.partition(), entry.from())) {
            for (RecordLog.Entry next = reader.next(); next != null; next = reader.next()) {
                if (next instanceof RecordLog.Found found) {
                    if (found.value().offset() >= entry.to()) {
                        break;
                    }
                    SnapshotChunk chunk =
                            decoder.read(Topics.SNAPSHOTS, found.value().value());
                    if (entry.hasPart(chunk)) {
                        byte[] part = new byte[chunk.getEvents().remaining()];
                        chunk.getEvents().duplicate().get(part);
                        parts.putIfAbsent(chunk.getChunk(), part);
                    }
                }
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < parts.size(); i++) {
            bytes.writeBytes(parts.getOrDefault(i, new byte[0]));
        }
        return SnapshotChunks.join(bytes.toByteArray(), entry.hash());
    }

    private Map<String, List<Entry>> list() {
        Map<String, Parts> found = new LinkedHashMap<>();
        for (int i = 0; i < log.partitions(topic); i++) {
            TopicPartition partition = new TopicPartition(topic, i);
            try (RecordLog.Reader reader = log.read(partition)) {
                for (RecordLog.Entry next = reader.next(); next != null; next = reader.next()) {
                    if (next instanceof RecordLog.Corrupt place) {
                        corrupt.add(place);
                    } else {
                        note(partition, ((RecordLog.Found) next).value(), found);
                    }
                }
            }
        }
        Map<String, List<Entry>> byCluster = new LinkedHashMap<>();
        found.values().stream()
                .filter(Parts::isWhole)
                .map(Parts::entry)
                .sorted(Comparator.comparingLong(Entry::iteration).thenComparingLong(Entry::sequence))
                .forEach(entry -> byCluster
                        .computeIfAbsent(entry.cluster(), cluster -> new ArrayList<>())
                        .add(entry));
        return byCluster;
    }

    private void note(TopicPartition partition, ConsumerRecord<byte[], byte[]> record, Map<String, Parts> found) {
        try {
            SnapshotChunk chunk = decoder.read(Topics.SNAPSHOTS, record.value());
            if (chunk.getChunks() > MOST_PARTS) {
                throw new IOException("it says that there are " + chunk.getChunks() + " parts, at most " + MOST_PARTS);
            }
            String key = String.join(
                    "/",
                    chunk.getCluster(),
                    "" + chunk.getNumber(),
                    "" + chunk.getJournalSequence(),
                    chunk.getStateHash());
            found.computeIfAbsent(key, unknown -> new Parts(partition, chunk, record.offset()))
                    .add(chunk, record.offset());
        } catch (IOException e) {
            corrupt.add(new RecordLog.Corrupt(
                    partition, record.offset(), record.offset() + 1, "no part of a snapshot: " + e.getMessage()));
        }
    }

    /** What was seen of the parts of one snapshot. */
    private static final class Parts {
        private final TopicPartition partition;
        private final SnapshotChunk first;
        private final long from;
        private final BitSet seen = new BitSet();
        private long to;

        Parts(TopicPartition partition, SnapshotChunk first, long from) {
            this.partition = partition;
            this.first = first;
            this.from = from;
        }

        void add(SnapshotChunk chunk, long offset) {
            if (chunk.getChunk() >= 0 && chunk.getChunk() < first.getChunks() && !isWhole()) {
                seen.set(chunk.getChunk());
                to = offset + 1;
            }
        }

        boolean isWhole() {
            return seen.cardinality() == first.getChunks();
        }

        Entry entry() {
            return new Entry(
                    first.getCluster(),
                    first.getNumber(),
                    first.getJournalSequence(),
                    first.getStateHash(),
                    partition,
                    from,
                    to);
        }
    }
}
