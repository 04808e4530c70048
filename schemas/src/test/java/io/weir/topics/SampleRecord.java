package io.weir.topics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.io.JsonEncoder;

/** A record of a schema with likely values: what such a record looks like, in Avro's JSON. */
final class SampleRecord {
    private static final long TIME = Instant.parse("2026-01-15T08:30:00Z").toEpochMilli();

    /** Values by field name; other fields get a plain value of their type. */
    private static final Map<String, Object> LIKELY = Map.ofEntries(
            Map.entry("cluster", "alpha"),
            Map.entry("nodeId", "n001"),
            Map.entry("jobId", "1042"),
            Map.entry("connector", "slurm"),
            Map.entry("user", "ann"),
            Map.entry("group", "physics"),
            Map.entry("account", "lattice"),
            Map.entry("jobClass", "batch"),
            Map.entry("qos", "normal"),
            Map.entry("principal", "ann"),
            Map.entry("metric", "temp"),
            Map.entry("value", 41.5),
            Map.entry("partition", "base"),
            Map.entry("reservationId", "maintenance.3"),
            Map.entry("category", "HardwareFailure"),
            Map.entry("next", "Idle"),
            Map.entry("procs", 16),
            Map.entry("memoryMb", 65536L),
            Map.entry("walltimeSeconds", 3600L));

    private final GenericRecord record;

    SampleRecord(Schema schema) {
        this.record = record(schema);
    }

    GenericRecord record() {
        return record;
    }

    /** Returns the record as it is read back from its binary form. */
    GenericRecord roundTrip() {
        try {
            return new GenericDatumReader<GenericRecord>(record.getSchema())
                    .read(null, DecoderFactory.get().binaryDecoder(bytes(), null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the record in its binary form. */
    byte[] bytes() {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
            new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
            encoder.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String json() {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            JsonEncoder encoder = EncoderFactory.get().jsonEncoder(record.getSchema(), bytes, true);
            new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
            encoder.flush();
            return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static GenericRecord record(Schema schema) {
        GenericRecord made = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
            made.put(field.pos(), value(field.name(), field.schema()));
        }
        return made;
    }

    private static Object value(String name, Schema schema) {
        return switch (schema.getType()) {
            case UNION ->
                value(
                        name,
                        schema.getTypes().stream()
                                .filter(part -> part.getType() != Schema.Type.NULL)
                                .findFirst()
                                .orElseThrow());
            case RECORD -> record(schema);
            case ENUM -> new GenericData.EnumSymbol(schema, symbol(schema));
            case ARRAY -> new GenericData.Array<>(schema, List.of(value(name, schema.getElementType())));
            case STRING -> LIKELY.get(name) instanceof String text ? text : name.endsWith("Id") ? name + "-1" : "text";
            case BYTES -> ByteBuffer.wrap(new byte[] {1, 2});
            case INT -> LIKELY.get(name) instanceof Integer number ? number : 1;
            case LONG ->
                schema.getLogicalType() != null ? TIME : LIKELY.get(name) instanceof Long number ? number : (Object) 1L;
            case DOUBLE -> LIKELY.get(name) instanceof Double number ? number : 1.0;
            case BOOLEAN -> false;
            default -> throw new IllegalArgumentException("no sample of " + schema);
        };
    }

    /** Returns the first symbol that stands for something known. */
    private static String symbol(Schema schema) {
        return schema.getEnumSymbols().stream()
                .filter(symbol -> !symbol.equals("UNKNOWN"))
                .findFirst()
                .orElseThrow();
    }
}
