package io.weir.topics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records as Avro encodes them, which depends on the record alone, and the header before it in Confluent's wire format: a
 * zero byte and the schema id in four bytes. Thread-safe.
 */
public final class AvroPayload {
    private static final byte MAGIC = 0;

    /** Magic byte and schema id. */
    private static final int HEADER_BYTES = 5;

    /** Most records are not larger. */
    private static final int USUAL_BYTES = 512;

    private static final byte[] NO_PREFIX = {};

    private static final ThreadLocal<@Nullable BinaryEncoder> ENCODERS = new ThreadLocal<>();

    private static final ClassValue<SpecificDatumWriter<SpecificRecord>> WRITERS = new ClassValue<>() {
        @Override
        protected SpecificDatumWriter<SpecificRecord> computeValue(Class<?> type) {
            return writer(type);
        }
    };

    static {
        AvroTrust.install();
    }

    private AvroPayload() {}

    /** Returns {@code record} encoded with its own schema, without the header: the bytes that {@link #of} returns. */
    public static byte[] encode(SpecificRecord record) {
        return encode(NO_PREFIX, record);
    }

    /** Returns {@code prefix} followed by {@code record} encoded with its own schema. */
    public static byte[] encode(byte[] prefix, SpecificRecord record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(USUAL_BYTES);
        out.writeBytes(prefix);
        // The encoder has a buffer of its own; one for each record would cost more than most records.
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, ENCODERS.get());
        try {
            WRITERS.get(record.getClass()).write(record, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ENCODERS.set(encoder);
        return out.toByteArray();
    }

    /**
     * Returns the Avro payload of {@code bytes}, which does not depend on the registry's ids.
     *
     * @throws PoisonRecordException when they have no header
     */
    public static byte[] of(byte[] bytes) {
        schemaId(bytes);
        return Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
    }

    /** Returns {@code payload} behind the header that names the schema {@code schemaId}. */
    static byte[] withHeader(int schemaId, byte[] payload) {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .put(MAGIC)
                .putInt(schemaId)
                .put(payload)
                .array();
    }

    /**
     * Returns the id of the schema that {@code bytes} were written by.
     *
     * @throws PoisonRecordException when they have no header
     */
    static int schemaId(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            throw new PoisonRecordException("Only " + bytes.length + " bytes: too short for a schema id");
        }
        if (bytes[0] != MAGIC) {
            throw new PoisonRecordException(
                    "First byte is " + bytes[0] + ", not 0: not written by a schema registry serializer");
        }
        return ByteBuffer.wrap(bytes).getInt(1);
    }

    /**
     * Decodes {@code bytes}, which have a header, as a {@code type}.
     *
     * @param reader of the schema they were written by
     * @throws PoisonRecordException when they do not follow that schema
     */
    static <T extends SpecificRecord> T decode(Class<T> type, byte[] bytes, DatumReader<?> reader) {
        int length = bytes.length - HEADER_BYTES;
        BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(bytes, HEADER_BYTES, length, null);
        T record;
        boolean whole;
        try {
            record = type.cast(reader.read(null, decoder));
            whole = decoder.isEnd();
        } catch (IOException | RuntimeException e) {
            // Avro meets bad bytes with whatever its parser ran into; nothing but the bytes can be the cause here.
            throw new PoisonRecordException(
                    "Payload of " + length + " bytes does not follow schema " + schemaId(bytes) + ": "
                            + RegistryTrouble.rootMessage(e),
                    e);
        }
        if (!whole) {
            throw new PoisonRecordException(
                    "Payload of " + length + " bytes is longer than its record by schema " + schemaId(bytes));
        }
        return record;
    }

    /**
     * Returns a writer of {@code type} that lets records write themselves where the code generated for them can: the same bytes
     * in a part of the time.
     */
    private static SpecificDatumWriter<SpecificRecord> writer(Class<?> type) {
        SpecificData generated = SpecificData.getForClass(type);
        SpecificData model = new SpecificData(type.getClassLoader());
        generated.getConversions().forEach(model::addLogicalTypeConversion);
        model.setCustomCoders(true);
        return new SpecificDatumWriter<>(generated.getSchema(type), model);
    }
}
