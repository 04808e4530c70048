package io.weir.spine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;

/**
 * The file with a partition's records, opened with a stopped broker by someone who knows the format: what is changed
 * keeps its length and gets a valid checksum, unless it is meant not to.
 */
final class Segment {
    private static final int CRC = 17;
    private static final int ATTRIBUTES = 21;

    private final Path directory;
    private final Path file;
    private byte[] bytes;

    /** A batch that holds data: where it lies in the file, and its first offset. */
    record Batch(int position, int size, long offset, int records) {}

    private Segment(Path directory, Path file, byte[] bytes) {
        this.directory = directory;
        this.file = file;
        this.bytes = bytes;
    }

    /** Opens the only segment of {@code topic}'s partition 0. */
    static Segment open(Path brokerLog, String topic) throws IOException {
        Path directory = brokerLog.resolve(topic + "-0");
        Path file;
        try (Stream<Path> files = Files.list(directory)) {
            file = files.filter(path -> path.toString().endsWith(".log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
        return new Segment(directory, file, Files.readAllBytes(file));
    }

    /** Returns the batches with data, in order. */
    List<Batch> batches() {
        List<Batch> batches = new ArrayList<>();
        int position = 0;
        for (MutableRecordBatch batch :
                MemoryRecords.readableRecords(ByteBuffer.wrap(bytes)).batches()) {
            if (!batch.isControlBatch()) {
                Integer records = batch.countOrNull();
                batches.add(
                        new Batch(position, batch.sizeInBytes(), batch.baseOffset(), records == null ? 0 : records));
            }
            position += batch.sizeInBytes();
        }
        return batches;
    }

    /** Changes the last byte of the value of the batch's record {@code index}; the checksum stays valid. */
    void rewrite(Batch batch, int index) {
        ByteBuffer value = value(batch, index);
        int last = value.limit() - 1;
        value.put(last, (byte) (value.get(last) ^ 1));
        seal(batch);
        save();
    }

    /** Changes a byte and leaves the checksum as it was. */
    void damage(Batch batch) {
        ByteBuffer value = value(batch, 0);
        int last = value.limit() - 1;
        value.put(last, (byte) (value.get(last) ^ 1));
        save();
    }

    /** Takes the batch out of the file. */
    void drop(Batch batch) {
        byte[] rest = new byte[bytes.length - batch.size()];
        System.arraycopy(bytes, 0, rest, 0, batch.position());
        int after = batch.position() + batch.size();
        System.arraycopy(bytes, after, rest, batch.position(), bytes.length - after);
        bytes = rest;
        save();
        forgetIndexes();
    }

    /** Exchanges the values of two records of equal length. */
    void swap(Batch one, int first, Batch other, int second) {
        ByteBuffer a = value(one, first);
        ByteBuffer b = value(other, second);
        byte[] kept = new byte[a.remaining()];
        a.duplicate().get(kept);
        byte[] moved = new byte[b.remaining()];
        b.duplicate().get(moved);
        if (kept.length != moved.length) {
            throw new IllegalArgumentException("values of " + kept.length + " and " + moved.length + " bytes");
        }
        a.duplicate().put(moved);
        b.duplicate().put(kept);
        seal(one);
        seal(other);
        save();
    }

    /** Says whether the first record of the batch has a value. */
    boolean hasValue(Batch batch) {
        return value(batch, 0) != null;
    }

    /** Length of a value in bytes. */
    int length(Batch batch, int index) {
        return value(batch, index).remaining();
    }

    private ByteBuffer value(Batch batch, int index) {
        ByteBuffer slice =
                ByteBuffer.wrap(bytes, batch.position(), batch.size()).slice();
        int i = 0;
        for (Record record : MemoryRecords.readableRecords(slice).records()) {
            if (i++ == index) {
                return record.value();
            }
        }
        throw new IllegalArgumentException("no record " + index + " in " + batch);
    }

    private void seal(Batch batch) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, batch.position() + ATTRIBUTES, batch.size() - ATTRIBUTES);
        ByteBuffer.wrap(bytes).putInt(batch.position() + CRC, (int) crc.getValue());
    }

    private void save() {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Positions have moved: the broker makes its indexes anew. */
    private void forgetIndexes() {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path path :
                    files.filter(path -> path.toString().endsWith("index")).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
