package io.weir.scheduler.core;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/** A record as a store or the log holds it. Equal where type and bytes are. */
record Encoded(Class<? extends SpecificRecord> type, byte[] bytes) {
    private static final ClassValue<SpecificDatumWriter<SpecificRecord>> WRITERS = new ClassValue<>() {
        @Override
        protected SpecificDatumWriter<SpecificRecord> computeValue(Class<?> type) {
            SpecificData model = SpecificData.getForClass(type);
            return new SpecificDatumWriter<>(model.getSchema(type), model);
        }
    };

    private static final ClassValue<SpecificDatumReader<SpecificRecord>> READERS = new ClassValue<>() {
        @Override
        protected SpecificDatumReader<SpecificRecord> computeValue(Class<?> type) {
            SpecificData model = SpecificData.getForClass(type);
            Schema schema = model.getSchema(type);
            return new SpecificDatumReader<>(schema, schema, model);
        }
    };

    static Encoded of(SpecificRecord value) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
            WRITERS.get(value.getClass()).write(value, encoder);
            encoder.flush();
            return new Encoded(value.getClass(), bytes.toByteArray());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    SpecificRecord decoded() {
        try {
            return READERS.get(type).read(null, DecoderFactory.get().binaryDecoder(bytes, null));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Encoded that && type == that.type && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        String text = String.valueOf(decoded());
        return text.substring(0, Math.min(3_000, text.length()));
    }
}
