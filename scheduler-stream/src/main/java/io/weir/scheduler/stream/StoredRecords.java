package io.weir.scheduler.stream;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.state.AdviceRecord;
import io.weir.scheduler.state.AnsweredRequest;
import io.weir.scheduler.state.CategoryRecord;
import io.weir.scheduler.state.CategoryTotals;
import io.weir.scheduler.state.DomainStatus;
import io.weir.scheduler.state.FairshareStatus;
import io.weir.scheduler.state.NodeRecord;
import io.weir.scheduler.state.NonstopRecord;
import io.weir.schemas.Explanation;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Quarantine;
import io.weir.schemas.ReservationStatus;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * What the stores of a task hold, as bytes: Avro's single-object encoding, which names the schema of its writer by
 * fingerprint. A record of another build, earlier or later, is read by that build's schema and becomes one of this build
 * by Avro's rules of resolution; {@link WriterSchemas} has the schemas. One thread.
 */
final class StoredRecords {
    static {
        AvroTrust.install();
    }

    private final WriterSchemas schemas;
    private final Map<Class<?>, Codec<?>> codecs = new HashMap<>();

    StoredRecords(WriterSchemas schemas) {
        this.schemas = schemas;
    }

    /** Returns the type of record that entities of {@code kind} are stored as. */
    static Class<? extends SpecificRecord> type(EntityKind kind) {
        return switch (kind) {
            case NODE -> NodeStatus.class;
            case JOB -> JobStatus.class;
            case RESERVATION -> ReservationStatus.class;
            case EXPLANATION -> Explanation.class;
            case ADVICE -> AdviceRecord.class;
            case HISTORY -> NodeRecord.class;
            case FAIRSHARE -> FairshareStatus.class;
            case CATEGORY -> CategoryRecord.class;
            case CATEGORY_TOTALS -> CategoryTotals.class;
            case ANSWER -> AnsweredRequest.class;
            case QUARANTINE -> Quarantine.class;
            case NONSTOP -> NonstopRecord.class;
            case DOMAIN -> DomainStatus.class;
        };
    }

    /** Encodes {@code value} and keeps its schema. */
    byte[] encode(SpecificRecord value) {
        return codec(value.getClass()).encode(value);
    }

    /** Decodes an entity that lies under {@code key}. */
    Change decode(String key, EntityKind kind, String id, byte[] bytes) {
        return new Change(kind, id, decode(key, type(kind), bytes));
    }

    /**
     * Decodes what lies under {@code key}.
     *
     * @throws UnreadableStateException when this build cannot make a {@code type} of it
     */
    <T extends SpecificRecord> T decode(String key, Class<T> type, byte[] bytes) {
        try {
            return type.cast(codec(type).decoder().decode(bytes));
        } catch (IOException | AvroRuntimeException e) {
            throw new UnreadableStateException(
                    "The stores hold under '" + key + "' what this build cannot read as " + type.getSimpleName() + " ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    private Codec<?> codec(Class<? extends SpecificRecord> type) {
        Codec<?> known = codecs.get(type);
        return known != null ? known : codecs.computeIfAbsent(type, missing -> Codec.of(type, schemas));
    }

    /**
     * To bytes and back for one type of record.
     *
     * @param schemas to which its schema goes with the first record
     */
    private record Codec<T extends SpecificRecord>(
            Class<T> type,
            Schema schema,
            WriterSchemas schemas,
            BinaryMessageEncoder<T> encoder,
            BinaryMessageDecoder<T> decoder) {

        static <T extends SpecificRecord> Codec<T> of(Class<T> type, WriterSchemas schemas) {
            SpecificData model = SpecificData.getForClass(type);
            Schema schema = model.getSchema(type);
            return new Codec<>(
                    type,
                    schema,
                    schemas,
                    new BinaryMessageEncoder<>(model, schema),
                    new BinaryMessageDecoder<>(model, schema, schemas));
        }

        byte[] encode(SpecificRecord value) {
            schemas.keep(schema);
            try {
                ByteBuffer buffer = encoder.encode(type.cast(value));
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                return bytes;
            } catch (IOException e) {
                throw new IllegalStateException("Cannot encode for the store: " + value, e);
            }
        }
    }
}
