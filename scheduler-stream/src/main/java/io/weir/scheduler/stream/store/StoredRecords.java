package io.weir.scheduler.stream.store;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.topics.AvroPayload;
import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * What the stores of a task hold, as bytes: Avro's single-object encoding, which names the schema of its writer by
 * fingerprint. A record of another build, earlier or later, is read by that build's schema and becomes one of this build
 * by Avro's rules of resolution; {@link WriterSchemas} has the schemas. One thread.
 */
final class StoredRecords {
    /** The first two bytes of a single object. */
    private static final byte[] MARKER = {(byte) 0xC3, 1};

    static {
        AvroTrust.install();
    }

    private final WriterSchemas schemas;
    private final Map<Class<?>, Codec<?>> codecs = new HashMap<>();

    StoredRecords(WriterSchemas schemas) {
        this.schemas = schemas;
    }

    /** Encodes {@code value} and keeps its schema. */
    byte[] encode(SpecificRecord value) {
        return codec(value.getClass()).encode(value);
    }

    /** Keeps the schema of {@code value}, which is to be encoded later. */
    void keepSchema(SpecificRecord value) {
        codec(value.getClass()).keepSchema();
    }

    /** Decodes an entity that lies under {@code key}. */
    Change decode(String key, EntityKind kind, String id, byte[] bytes) {
        return new Change(kind, id, decode(key, kind.type(), bytes));
    }

    /**
     * Decodes what lies under {@code key}.
     *
     * @throws UnreadableStateException when this build cannot make a {@code type} of it
     */
    <T extends SpecificRecord> T decode(String key, Class<T> type, byte[] bytes) {
        if (!isRecord(bytes)) {
            throw UnreadableStateException.overwritten(key);
        }
        try {
            return type.cast(codec(type).decoder().decode(bytes));
        } catch (IOException | AvroRuntimeException e) {
            throw new UnreadableStateException(
                    "The stores hold under '" + key + "' what this build cannot read as " + type.getSimpleName() + " ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    /** Returns whether {@code bytes} begin as what every build stores. */
    private static boolean isRecord(byte[] bytes) {
        return bytes.length >= MARKER.length && Arrays.equals(bytes, 0, MARKER.length, MARKER, 0, MARKER.length);
    }

    private Codec<?> codec(Class<? extends SpecificRecord> type) {
        Codec<?> known = codecs.get(type);
        return known != null ? known : codecs.computeIfAbsent(type, missing -> new Codec<>(type, schemas));
    }

    /** To bytes and back for one type of record. */
    private static final class Codec<T extends SpecificRecord> {
        private final Class<T> type;
        private final Schema schema;
        private final WriterSchemas schemas;
        /** What each record begins with. */
        private final byte[] header;

        private final BinaryMessageDecoder<T> decoder;

        /** Creates the codec of {@code type}, whose schema goes to {@code schemas} with the first record. */
        Codec(Class<T> type, WriterSchemas schemas) {
            SpecificData model = SpecificData.getForClass(type);
            this.type = type;
            this.schema = model.getSchema(type);
            this.schemas = schemas;
            this.header = header(schema);
            this.decoder = new BinaryMessageDecoder<>(model, schema, schemas);
        }

        BinaryMessageDecoder<T> decoder() {
            return decoder;
        }

        void keepSchema() {
            schemas.keep(schema);
        }

        byte[] encode(SpecificRecord value) {
            keepSchema();
            return AvroPayload.encode(header, type.cast(value));
        }

        /** Returns what Avro's single-object encoding begins with: a marker and the schema's fingerprint. */
        private static byte[] header(Schema schema) {
            return ByteBuffer.allocate(MARKER.length + Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(MARKER)
                    .putLong(SchemaNormalization.parsingFingerprint64(schema))
                    .array();
        }
    }
}
