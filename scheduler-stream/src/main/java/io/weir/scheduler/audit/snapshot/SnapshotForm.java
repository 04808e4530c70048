package io.weir.scheduler.audit.snapshot;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.state.JournalStatus;
import io.weir.topics.AvroPayload;
import io.weir.topics.AvroTrust;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;

/**
 * A snapshot as bytes, with the schemas it was written by: a later build reads it by these. The same snapshot has the same bytes.
 *
 * <pre>
 *   format 1
 *   schema, record                     where the journal stands
 *   number of kinds
 *   kind, schema, number, (id, record)…    for each kind
 * </pre>
 *
 * Texts and records stand behind their length in bytes, four bytes, as do numbers.
 */
final class SnapshotForm {
    private static final int FORMAT = 1;

    static {
        AvroTrust.install();
    }

    private SnapshotForm() {}

    static byte[] encode(Snapshot snapshot) {
        Map<EntityKind, List<Change>> kinds = new EnumMap<>(EntityKind.class);
        snapshot.entities()
                .forEach(entity -> kinds.computeIfAbsent(entity.kind(), kind -> new ArrayList<>())
                        .add(entity));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            write(out, schema(JournalStatus.class));
            write(out, AvroPayload.encode(snapshot.journal()));
            out.writeInt(kinds.size());
            for (Map.Entry<EntityKind, List<Change>> kind : kinds.entrySet()) {
                write(out, kind.getKey().name());
                write(out, schema(kind.getKey().type()));
                out.writeInt(kind.getValue().size());
                for (Change entity : kind.getValue()) {
                    write(out, entity.id());
                    write(out, AvroPayload.encode(Objects.requireNonNull(entity.value(), "a state has values")));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("memory took no bytes", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a snapshot.
     *
     * @throws IOException when this build cannot read it
     */
    static Snapshot decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readByte();
            if (format != FORMAT) {
                throw new IOException("it has format " + format + ", this build reads " + FORMAT);
            }
            JournalStatus journal = reader(JournalStatus.class, text(in)).apply(bytes(in));
            List<Change> entities = new ArrayList<>();
            int kinds = in.readInt();
            for (int i = 0; i < kinds; i++) {
                EntityKind kind = EntityKind.valueOf(text(in));
                RecordReader<? extends SpecificRecord> reader = reader(kind.type(), text(in));
                int count = in.readInt();
                for (int j = 0; j < count; j++) {
                    String id = text(in);
                    entities.add(new Change(kind, id, reader.apply(bytes(in))));
                }
            }
            return new Snapshot(journal, entities);
        } catch (RuntimeException e) {
            throw new IOException("this build cannot read it: " + e.getMessage(), e);
        }
    }

    private static String schema(Class<? extends SpecificRecord> type) {
        return SpecificData.getForClass(type).getSchema(type).toString();
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        write(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("it ends within a text or record");
        }
        return bytes;
    }

    private static <T extends SpecificRecord> RecordReader<T> reader(Class<T> type, String writtenBy) {
        SpecificData model = SpecificData.getForClass(type);
        SpecificDatumReader<T> reader =
                new SpecificDatumReader<>(new Schema.Parser().parse(writtenBy), model.getSchema(type), model);
        return payload -> reader.read(null, DecoderFactory.get().binaryDecoder(payload, null));
    }

    private interface RecordReader<T> {
        T apply(byte[] payload) throws IOException;
    }
}
