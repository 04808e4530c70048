package io.weir.scheduler.audit.snapshot;

import io.weir.scheduler.journal.Sha256;
import io.weir.schemas.SnapshotChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Snapshots as the records of their topic: parts that fit into a record. */
public final class SnapshotChunks {
    /** Bytes of a part; with the rest of its record it is below what producers send unless they are told otherwise. */
    private static final int PART = 1 << 19;

    private SnapshotChunks() {}

    /** Returns the parts of a snapshot, in order. */
    public static List<SnapshotChunk> of(Snapshot snapshot) {
        return of(snapshot, PART);
    }

    /** Returns the parts of a snapshot, in order, of so many bytes at most. */
    public static List<SnapshotChunk> of(Snapshot snapshot, int part) {
        byte[] bytes = SnapshotForm.encode(snapshot);
        String hash = hash(bytes);
        int count = (bytes.length + part - 1) / part;
        List<SnapshotChunk> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int from = i * part;
            chunks.add(new SnapshotChunk(
                    snapshot.journal().getCluster(),
                    snapshot.iteration(),
                    i,
                    count,
                    snapshot.sequence(),
                    hash,
                    ByteBuffer.wrap(bytes, from, Math.min(part, bytes.length - from))
                            .slice()));
        }
        return chunks;
    }

    /**
     * Returns the snapshot whose parts make up {@code bytes}.
     *
     * @param hash of these, as the parts state it
     * @throws IOException when it is another, or this build cannot read them
     */
    public static Snapshot join(byte[] bytes, String hash) throws IOException {
        if (!hash(bytes).equals(hash)) {
            throw new IOException("it does not have the hash that it states");
        }
        return SnapshotForm.decode(bytes);
    }

    private static String hash(byte[] bytes) {
        return Sha256.hex(Sha256.of(bytes));
    }
}
