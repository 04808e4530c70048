package io.weir.scheduler.recorded;

import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClientFactory;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import io.weir.scheduler.journal.PayloadEncoder;
import io.weir.scheduler.recorded.RecordedJournal.WrittenSchema;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroPayload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificRecord;

/**
 * The schemas a journal was written with, in a registry of its own. Records of this build are encoded by them: what a field
 * holds that has been added since is not compared, for the journal cannot know it.
 */
final class JournalSchemas implements PayloadEncoder, AutoCloseable {
    private final Map<String, Schema> schemas = new TreeMap<>();
    private final AvroCodec codec;

    JournalSchemas(List<WrittenSchema> written) throws IOException {
        String url = "mock://" + UUID.randomUUID();
        try (SchemaRegistryClient registry = SchemaRegistryClientFactory.newClient(
                List.of(url), 100, List.of(new AvroSchemaProvider()), Map.of(), Map.of())) {
            for (WrittenSchema schema : written) {
                Schema parsed = new Schema.Parser().parse(schema.json());
                schemas.put(parsed.getFullName(), parsed);
                if (!schema.topic().isEmpty()) {
                    String subject = StreamHarness.NAMES.prefix() + schema.topic() + "-value";
                    registry.register(subject, new AvroSchema(parsed), 1, schema.id());
                }
            }
        } catch (RestClientException e) {
            throw new IOException("a recorded schema cannot be registered", e);
        }
        codec = new AvroCodec(StreamHarness.NAMES, Map.of("schema.registry.url", url));
    }

    /** Returns a codec that reads the journal's records. */
    AvroCodec codec() {
        return codec;
    }

    @Override
    public byte[] encode(SpecificRecord value) {
        byte[] ours = AvroPayload.encode(value);
        Schema written = schemas.get(value.getSchema().getFullName());
        if (written == null) {
            throw new IllegalStateException("The journal was recorded before there was any "
                    + value.getSchema().getFullName() + ": record it anew");
        }
        GenericRecord theirs = read(ours, value.getSchema(), written);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        try {
            new GenericDatumWriter<GenericRecord>(written).write(theirs, encoder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Returns a payload of the type called {@code type} in words. */
    String text(String type, byte[] payload) {
        Schema written = schemas.get(type);
        return read(payload, written, written).toString();
    }

    private static GenericRecord read(byte[] payload, Schema writer, Schema reader) {
        try {
            return new GenericDatumReader<GenericRecord>(writer, reader)
                    .read(null, DecoderFactory.get().binaryDecoder(payload, null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        codec.close();
    }
}
