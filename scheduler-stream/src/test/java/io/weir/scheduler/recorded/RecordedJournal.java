package io.weir.scheduler.recorded;

import io.weir.scheduler.journal.JournalEntry;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A journal with everything a later build needs to fold and to judge it: the schemas its records were written with, the
 * journal and the outputs as they were on their topics, and the state at the end. Its file is compressed and depends on
 * nothing else.
 *
 * @param schemas what wrote the records and the state
 * @param records records of the journal and the output topics, in the order written
 * @param state the state that follows, in the order of the scheduler's snapshot
 */
record RecordedJournal(List<WrittenSchema> schemas, List<WrittenRecord> records, List<StoredEntity> state) {
    private static final String FORMAT = "weir recorded journal 1";
    private static final int NONE = -1;

    /**
     * A schema.
     *
     * @param topic topic under which it is registered, without prefix; empty for one of the state alone
     * @param id its id in the records' wire format
     * @param json the schema
     */
    record WrittenSchema(String topic, int id, String json) {}

    /**
     * A record of a topic.
     *
     * @param topic its topic, without prefix
     */
    record WrittenRecord(
            String topic, byte @Nullable [] key, byte @Nullable [] value, long timestamp, Headers headers) {
        boolean isIteration() {
            return isOfJournal() && isOf(FactHeaders.KIND_ITERATION);
        }

        boolean isInput() {
            return isOfJournal() && isOf(FactHeaders.KIND_INPUT);
        }

        boolean isOfJournal() {
            return topic.equals(Topics.JOURNAL.name());
        }

        private boolean isOf(String kind) {
            return FactHeaders.KIND.get(headers).orElse("").equals(kind);
        }

        /** Returns the input, at its place in the journal. */
        JournalEntry entry() {
            return JournalEntry.parse(headers, key, value)
                    .orElseThrow(() -> new IllegalStateException("not an input of a journal"));
        }

        WrittenRecord with(byte @Nullable [] newValue) {
            return new WrittenRecord(topic, key, newValue, timestamp, headers);
        }
    }

    /**
     * An entity of the state.
     *
     * @param id its kind and its id
     * @param type full name of its schema
     * @param payload its binary form by that schema
     */
    record StoredEntity(String id, String type, byte[] payload) {}

    void write(Path file) throws IOException {
        Files.write(file, toBytes());
    }

    byte[] toBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater))) {
            out.writeUTF(FORMAT);
            out.writeInt(schemas.size());
            for (WrittenSchema schema : schemas) {
                out.writeUTF(schema.topic());
                out.writeInt(schema.id());
                writeBytes(out, schema.json().getBytes(StandardCharsets.UTF_8));
            }
            out.writeInt(records.size());
            for (WrittenRecord record : records) {
                out.writeUTF(record.topic());
                writeBytes(out, record.key());
                writeBytes(out, record.value());
                out.writeLong(record.timestamp());
                Header[] headers = record.headers().toArray();
                out.writeInt(headers.length);
                for (Header header : headers) {
                    out.writeUTF(header.key());
                    writeBytes(out, header.value());
                }
            }
            out.writeInt(state.size());
            for (StoredEntity entity : state) {
                out.writeUTF(entity.id());
                out.writeUTF(entity.type());
                writeBytes(out, entity.payload());
            }
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    static RecordedJournal read(Path file) throws IOException {
        try (DataInputStream in =
                new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(Files.readAllBytes(file))))) {
            String format = in.readUTF();
            if (!format.equals(FORMAT)) {
                throw new IOException(file + " is a '" + format + "', not a '" + FORMAT + "'");
            }
            List<WrittenSchema> schemas = new ArrayList<>();
            for (int count = in.readInt(); count > 0; count--) {
                schemas.add(new WrittenSchema(in.readUTF(), in.readInt(), text(in)));
            }
            List<WrittenRecord> records = new ArrayList<>();
            for (int count = in.readInt(); count > 0; count--) {
                records.add(new WrittenRecord(in.readUTF(), readBytes(in), readBytes(in), in.readLong(), headers(in)));
            }
            List<StoredEntity> state = new ArrayList<>();
            for (int count = in.readInt(); count > 0; count--) {
                state.add(new StoredEntity(in.readUTF(), in.readUTF(), present(in)));
            }
            return new RecordedJournal(schemas, records, state);
        }
    }

    private static Headers headers(DataInputStream in) throws IOException {
        RecordHeaders headers = new RecordHeaders();
        for (int count = in.readInt(); count > 0; count--) {
            headers.add(new RecordHeader(in.readUTF(), readBytes(in)));
        }
        return headers;
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(present(in), StandardCharsets.UTF_8);
    }

    private static byte[] present(DataInputStream in) throws IOException {
        byte[] bytes = readBytes(in);
        if (bytes == null) {
            throw new IOException("a value is missing");
        }
        return bytes;
    }

    private static void writeBytes(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
        out.writeInt(bytes == null ? NONE : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static byte @Nullable [] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length == NONE ? null : in.readNBytes(length);
    }
}
