package io.weir.scheduler.stream;

import io.weir.scheduler.core.Change;
import io.weir.scheduler.core.EntityKind;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.state.AdviceRecord;
import io.weir.scheduler.state.DomainStatus;
import io.weir.scheduler.state.FairshareStatus;
import io.weir.scheduler.state.NodeRecord;
import io.weir.scheduler.state.StoredHeader;
import io.weir.scheduler.state.StoredInput;
import io.weir.schemas.Explanation;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.ReservationStatus;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * What the stores hold, as bytes: Avro's single-object encoding, which names its schema by fingerprint. The schemas are
 * those of this build, so a store is read without a registry. Stateless.
 */
final class StoredRecords {
    static {
        AvroTrust.install();
    }

    private StoredRecords() {}

    /** Encodes an entity. */
    static byte[] encode(EntityKind kind, SpecificRecord value) {
        return switch (kind) {
            case NODE -> encode(NodeStatus.getEncoder(), (NodeStatus) value);
            case JOB -> encode(JobStatus.getEncoder(), (JobStatus) value);
            case RESERVATION -> encode(ReservationStatus.getEncoder(), (ReservationStatus) value);
            case EXPLANATION -> encode(Explanation.getEncoder(), (Explanation) value);
            case ADVICE -> encode(AdviceRecord.getEncoder(), (AdviceRecord) value);
            case HISTORY -> encode(NodeRecord.getEncoder(), (NodeRecord) value);
            case FAIRSHARE -> encode(FairshareStatus.getEncoder(), (FairshareStatus) value);
            case DOMAIN -> encode(DomainStatus.getEncoder(), (DomainStatus) value);
        };
    }

    /** Decodes an entity. */
    static Change decode(EntityKind kind, String id, byte[] bytes) {
        SpecificRecord value = switch (kind) {
            case NODE -> decode(NodeStatus.getDecoder(), bytes);
            case JOB -> decode(JobStatus.getDecoder(), bytes);
            case RESERVATION -> decode(ReservationStatus.getDecoder(), bytes);
            case EXPLANATION -> decode(Explanation.getDecoder(), bytes);
            case ADVICE -> decode(AdviceRecord.getDecoder(), bytes);
            case HISTORY -> decode(NodeRecord.getDecoder(), bytes);
            case FAIRSHARE -> decode(FairshareStatus.getDecoder(), bytes);
            case DOMAIN -> decode(DomainStatus.getDecoder(), bytes);
        };
        return new Change(kind, id, value);
    }

    static <T> byte[] encode(BinaryMessageEncoder<T> encoder, T value) {
        try {
            return bytes(encoder.encode(value));
        } catch (IOException e) {
            throw new IllegalStateException("Cannot encode for the store: " + value, e);
        }
    }

    static <T> T decode(BinaryMessageDecoder<T> decoder, byte[] bytes) {
        try {
            return decoder.decode(bytes);
        } catch (IOException | AvroRuntimeException e) {
            throw new IllegalStateException(
                    "A store holds a record that this build cannot read (" + e.getMessage()
                            + "): it was written by another build. Run that build, or start with an empty state",
                    e);
        }
    }

    /** Returns {@code input} in the form in which it waits in a store. */
    static StoredInput store(Input input) {
        List<StoredHeader> headers = new ArrayList<>();
        for (Header header : input.headers()) {
            headers.add(new StoredHeader(header.key(), wrap(header.value())));
        }
        return new StoredInput(
                input.topic(),
                input.partition(),
                input.offset(),
                input.timestamp(),
                wrap(input.key()),
                wrap(input.value()),
                headers);
    }

    /** Returns the input that waits as {@code stored}. */
    static Input restore(StoredInput stored) {
        RecordHeaders headers = new RecordHeaders();
        stored.getHeaders().forEach(header -> headers.add(header.getName(), unwrap(header.getValue())));
        return new Input(
                stored.getTopic(),
                stored.getPartition(),
                stored.getOffset(),
                stored.getTimestamp(),
                headers,
                unwrap(stored.getKey()),
                unwrap(stored.getValue()));
    }

    static @Nullable ByteBuffer wrap(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    private static byte @Nullable [] unwrap(@Nullable ByteBuffer buffer) {
        return buffer == null ? null : bytes(buffer.duplicate());
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
