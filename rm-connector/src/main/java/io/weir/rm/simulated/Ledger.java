package io.weir.rm.simulated;

import io.weir.rm.spi.RmException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write-ahead record of one simulated resource manager: a text file of {@link LedgerEntry} lines that only grows.
 * Entries are kept back until {@link #sync}, which writes them in one piece and, if so configured, waits for the disk;
 * nothing that an entry says may be told to anyone before. A torn tail left by a kill is cut when the file is opened.
 * One process at a time: the file is locked. One thread.
 */
final class Ledger implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Ledger.class);

    private final Path file;
    private final FileChannel channel;
    private final boolean force;

    /** Lines appended since the last sync. */
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream(1 << 12);

    /** Checksum of the last line appended; 0 before the first. */
    private long checksum;

    private Ledger(Path file, FileChannel channel, long checksum, boolean force) {
        this.file = file;
        this.channel = channel;
        this.checksum = checksum;
        this.force = force;
    }

    /** A ledger opened for writing, and what it held. */
    record Opened(Ledger ledger, LedgerContent content) {}

    /**
     * Opens or creates {@code file}.
     *
     * @param force whether {@link #sync} waits until the disk has it; without, a power failure may lose the tail
     * @throws RmException if the file is in use, or damaged elsewhere than at its end
     */
    static Opened open(Path file, boolean force) {
        @Nullable FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            lock(file, channel);
            LedgerContent content = LedgerContent.read(file);
            if (content.length() < channel.size()) {
                log.warn(
                        "ledger={} cut at byte {}: {} bytes after it are not a whole line",
                        file,
                        content.length(),
                        channel.size() - content.length());
                channel.truncate(content.length());
            }
            channel.position(content.length());
            return new Opened(new Ledger(file, channel, content.checksum(), force), content);
        } catch (IOException e) {
            closeQuietly(channel);
            throw new RmException("cannot open the ledger " + file + ": " + e.getMessage(), e);
        } catch (RmException e) {
            closeQuietly(channel);
            throw e;
        }
    }

    private static void lock(Path file, FileChannel channel) throws IOException {
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new RmException(
                    "the ledger " + file
                            + " is in use: another connector runs on this data directory. Stop it, or choose another directory");
        }
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                log.debug("closing after a failure to open", e);
            }
        }
    }

    /** Adds {@code entry}; it is not safe before {@link #sync}. */
    void append(LedgerEntry entry) {
        String line = entry.toLine(checksum);
        checksum = Long.parseLong(line, line.length() - 8, line.length(), 16);
        pending.writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Makes all entries safe. */
    void sync() {
        if (pending.size() == 0) {
            return;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(pending.toByteArray());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            if (force) {
                channel.force(false);
            }
            pending.reset();
        } catch (IOException e) {
            throw new RmException("cannot write the ledger " + file + ": " + e.getMessage() + ". Free some space", e);
        }
    }

    /** Closes the file without writing what was not synced. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new RmException("cannot close the ledger " + file + ": " + e.getMessage(), e);
        }
    }
}
