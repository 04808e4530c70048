package io.weir.notifier.file;

import io.weir.notifier.spi.ChargeForm;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Charge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * An allocation manager's file: a line for each charge, forced to the disk before it counts as booked. The end of the file
 * is read before each line, so that it may be rotated, a charge that is there is not written again, and a line that a crash
 * cut short is taken away.
 */
final class ChargeFile implements ChargePeer {

    private final Path path;
    private final int tailBytes;
    private final StableStorage storage;

    ChargeFile(Path path, int tailBytes, StableStorage storage) {
        this.path = path;
        this.tailBytes = tailBytes;
        this.storage = storage;
    }

    @Override
    @SuppressWarnings("try") // the lock is held, not used
    public Receipt book(Charge charge) throws DeliveryException, InterruptedException {
        boolean isNew = !Files.exists(path);
        try (FileChannel file = FileChannel.open(
                        path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
                FileLock lock = locked(file)) {
            String tail = tail(file);
            if (tail.contains(" " + ChargeForm.id(charge) + " ")) {
                storage.force(path, file, isNew);
                return new Receipt("already in " + path);
            }
            ByteBuffer line = ByteBuffer.wrap((ChargeForm.line(charge) + "\n").getBytes(StandardCharsets.UTF_8));
            file.position(file.size());
            while (line.hasRemaining()) {
                file.write(line);
            }
            storage.force(path, file, isNew);
            return new Receipt("appended to " + path);
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            InterruptedException interrupted = new InterruptedException("interrupted while writing");
            interrupted.initCause(e);
            throw interrupted;
        } catch (IOException e) {
            throw new RetriableDeliveryException(path + " cannot be written: " + e, e);
        }
    }

    @Override
    public void close() {
        // Nothing is held open between charges.
    }

    private FileLock locked(FileChannel file) throws IOException, RetriableDeliveryException {
        @Nullable FileLock lock;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new RetriableDeliveryException(path + " is being written by another peer; give each its own file", e);
        }
        if (lock == null) {
            throw new RetriableDeliveryException(path + " is locked by another process");
        }
        return lock;
    }

    /** Returns the whole lines at the end of {@code file}; behind the last of them there is nothing any more. */
    private String tail(FileChannel file) throws IOException {
        long size = file.size();
        long start = Math.max(0, size - tailBytes);
        ByteBuffer buffer = ByteBuffer.allocate((int) (size - start));
        while (buffer.hasRemaining() && file.read(buffer, start + buffer.position()) >= 0) {
            // Until all is there.
        }
        byte[] bytes = buffer.array();
        int end = buffer.position();
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        if (start + end < size && (end > 0 || start == 0)) {
            file.truncate(start + end);
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
