package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;

/** Rewrites stores as a build with other schemas would have left them: its records, and its schemas beside them. */
final class OtherBuild {
    private static final String SCHEMA = "/schema/";
    private static final int HEADER_BYTES = 10;

    private final Map<String, byte[]> entities;
    private final Map<String, byte[]> intake;
    private final Map<String, byte[]> written = new LinkedHashMap<>();

    private OtherBuild(Map<String, byte[]> entities, Map<String, byte[]> intake) {
        this.entities = entities;
        this.intake = intake;
    }

    /** An earlier build: the fields that have a default, and that nothing was put into yet, were not there. */
    static void earlier(Map<String, byte[]> entities, Map<String, byte[]> intake) {
        new OtherBuild(entities, intake)
                .rewrite((ours, records) -> ours.getFields().stream()
                        .filter(field -> !field.hasDefaultValue()
                                || records.stream().anyMatch(record -> !isDefault(record.get(field.pos()), field)))
                        .toList());
    }

    /** A later build: every record has a field more. */
    static void later(Map<String, byte[]> entities, Map<String, byte[]> intake) {
        new OtherBuild(entities, intake).rewrite((ours, records) -> {
            List<Schema.Field> fields = new ArrayList<>(ours.getFields());
            fields.add(0, new Schema.Field("addedLater", Schema.create(Schema.Type.STRING), "New.", "something"));
            return fields;
        });
    }

    /** A build that broke the rules: what has no default now was not there. */
    static void incompatible(Map<String, byte[]> entities, Map<String, byte[]> intake) {
        new OtherBuild(entities, intake)
                .rewrite((ours, records) -> ours.getFields().stream()
                        .filter(Schema.Field::hasDefaultValue)
                        .toList());
    }

    private static boolean isDefault(Object value, Schema.Field field) {
        return GenericData.get().compare(value, GenericData.get().getDefaultValue(field), field.schema()) == 0;
    }

    /** What becomes of the fields of a record, given all records of its type. */
    private interface Evolution {
        List<Schema.Field> fields(Schema ours, List<GenericRecord> records);
    }

    private void rewrite(Evolution evolution) {
        intake.forEach((key, value) -> {
            if (key.startsWith(SCHEMA)) {
                written.put(key, value);
            }
        });
        intake.keySet().removeAll(written.keySet());
        Map<Schema, List<GenericRecord>> records = new LinkedHashMap<>();
        List<Map<String, byte[]>> stores = List.of(entities, intake);
        stores.forEach(store -> store.values().forEach(bytes -> {
            GenericRecord record = read(bytes);
            records.computeIfAbsent(record.getSchema(), ours -> new ArrayList<>())
                    .add(record);
        }));
        Map<Schema, Schema> theirs = new LinkedHashMap<>();
        records.forEach((ours, all) -> theirs.put(ours, record(ours, evolution.fields(ours, all))));
        assertThat(theirs.entrySet())
                .as("records whose schema is another one")
                .anyMatch(entry -> !entry.getKey().equals(entry.getValue()));
        stores.forEach(store -> store.replaceAll((key, bytes) -> {
            GenericRecord record = read(bytes);
            return write(record, theirs.get(record.getSchema()));
        }));
        theirs.values()
                .forEach(schema -> intake.put(
                        key(SchemaNormalization.parsingFingerprint64(schema)),
                        SchemaNormalization.toParsingForm(schema).getBytes(StandardCharsets.UTF_8)));
    }

    private static Schema record(Schema ours, List<Schema.Field> fields) {
        return Schema.createRecord(
                ours.getName(),
                ours.getDoc(),
                ours.getNamespace(),
                false,
                fields.stream()
                        .map(field -> new Schema.Field(field, field.schema()))
                        .toList());
    }

    /** Returns a stored record, as one of this build. */
    private GenericRecord read(byte[] bytes) {
        long fingerprint = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
        Schema writer = parse(written.get(key(fingerprint)));
        Schema ours = SpecificData.get().getSchema(SpecificData.get().getClass(writer));
        return read(bytes, writer, ours);
    }

    private static GenericRecord read(byte[] bytes, Schema writer, Schema reader) {
        try {
            return new GenericDatumReader<GenericRecord>(writer, reader)
                    .read(
                            null,
                            DecoderFactory.get().binaryDecoder(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES, null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] write(GenericRecord record, Schema theirs) {
        GenericRecord other = new GenericData.Record(theirs);
        for (Schema.Field field : theirs.getFields()) {
            Schema.Field ours = record.getSchema().getField(field.name());
            other.put(field.name(), ours == null ? GenericData.get().getDefaultValue(field) : record.get(ours.pos()));
        }
        try {
            return new BinaryMessageEncoder<GenericRecord>(GenericData.get(), theirs)
                    .encode(other)
                    .array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Schema parse(byte[] form) {
        return new Schema.Parser().parse(new String(form, StandardCharsets.UTF_8));
    }

    private static String key(long fingerprint) {
        return SCHEMA + "%016x".formatted(fingerprint);
    }
}
