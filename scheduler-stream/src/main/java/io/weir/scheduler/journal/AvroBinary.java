package io.weir.scheduler.journal;

import io.weir.topics.AvroTrust;
import java.io.IOException;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Avro's bare binary form: what digests are made over. On topics it stands behind a magic byte and a schema id, which
 * differ from registry to registry and so count for nothing here.
 */
public final class AvroBinary {
    static {
        AvroTrust.install();
    }

    private static final byte MAGIC = 0;
    private static final int FRAME_BYTES = 5;

    private AvroBinary() {}

    /**
     * Reads a value that was written by the schema of {@code type} in this build.
     *
     * @throws IOException when the bytes are not such a value
     */
    public static <T extends SpecificRecord> T decode(Class<T> type, byte[] payload) throws IOException {
        SpecificData model = SpecificData.getForClass(type);
        Schema schema = model.getSchema(type);
        try {
            return new SpecificDatumReader<T>(schema, schema, model)
                    .read(null, DecoderFactory.get().binaryDecoder(payload, null));
        } catch (RuntimeException e) {
            throw new IOException("Not a " + schema.getFullName() + " of this build: " + e.getMessage(), e);
        }
    }

    /** Returns {@code value} without magic byte and schema id; whole when it does not begin with them. */
    public static byte @Nullable [] payload(byte @Nullable [] value) {
        return value != null && value.length >= FRAME_BYTES && value[0] == MAGIC
                ? Arrays.copyOfRange(value, FRAME_BYTES, value.length)
                : value;
    }
}
