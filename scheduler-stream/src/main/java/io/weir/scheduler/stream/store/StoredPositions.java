package io.weir.scheduler.stream.store;

import io.weir.scheduler.state.PartitionIntake;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/** How far a task has come, by the changelog of its store: for a scheduler that has not started yet. */
public final class StoredPositions {
    static {
        AvroTrust.install();
    }

    private StoredPositions() {}

    /** Returns the name of the changelog; its partition has the position of the task of that number. */
    public static String changelog(String applicationId) {
        return Stores.changelog(applicationId, Stores.INTAKE);
    }

    /**
     * Returns the offset behind the last record taken in, by topic without prefix; empty for a task that never was.
     *
     * @param latest the latest value of each key of the changelog's partition
     * @throws UnreadableStateException when this build cannot read them
     */
    public static SortedMap<String, Long> of(Map<String, byte[]> latest) {
        SortedMap<String, Long> positions = new TreeMap<>();
        byte @Nullable [] stored = latest.get(Stores.PARTITION);
        if (stored != null) {
            decode(stored, latest)
                    .getPositions()
                    .forEach(position -> positions.put(position.getTopic(), position.getNext()));
        }
        return positions;
    }

    private static PartitionIntake decode(byte[] stored, Map<String, byte[]> latest) {
        try {
            return new BinaryMessageDecoder<PartitionIntake>(
                            SpecificData.getForClass(PartitionIntake.class),
                            PartitionIntake.getClassSchema(),
                            fingerprint -> WriterSchemas.find(fingerprint, latest::get))
                    .decode(stored);
        } catch (IOException | AvroRuntimeException e) {
            throw new UnreadableStateException("The stored positions cannot be read: " + e.getMessage(), e);
        }
    }
}
