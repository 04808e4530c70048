package io.weir.notifier.file;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.DeliveryJson;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
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
 * Appends each delivery to a file as one line and forces it to the disk before it answers. The file is opened anew for
 * every delivery, so it may be rotated by renaming; it is locked meanwhile, so several processes may share it. An id that
 * is in the file's tail already is not written again.
 */
final class FileNotifier implements Notifier {

    private final Path path;
    private final FileTail tail;
    private final StableStorage storage;

    FileNotifier(Path path, int tailBytes, StableStorage storage) {
        this.path = path;
        this.tail = new FileTail(tailBytes);
        this.storage = storage;
    }

    @Override
    @SuppressWarnings("try") // the lock is held, not used
    public Receipt deliver(Delivery delivery) throws DeliveryException, InterruptedException {
        boolean isNew = !Files.exists(path);
        try (FileChannel file = FileChannel.open(
                        path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
                FileLock lock = locked(file)) {
            tail.catchUp(path, file);
            if (tail.holds(delivery.id())) {
                storage.force(path, file, isNew);
                return new Receipt("already in " + path);
            }
            append(file, DeliveryJson.of(delivery));
            storage.force(path, file, isNew);
            tail.appended(delivery.id(), file.size());
            return new Receipt("appended to " + path);
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            throw interrupted(e);
        } catch (IOException e) {
            throw new RetriableDeliveryException(path + " cannot be written: " + e, e);
        }
    }

    @Override
    public void close() {
        // Nothing is held open between deliveries.
    }

    private static void append(FileChannel file, String json) throws IOException {
        ByteBuffer line = ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8));
        file.position(file.size());
        while (line.hasRemaining()) {
            file.write(line);
        }
    }

    private FileLock locked(FileChannel file) throws IOException, RetriableDeliveryException {
        @Nullable FileLock lock;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new RetriableDeliveryException(
                    path + " is being written by another channel; give each channel its own file", e);
        }
        if (lock == null) {
            throw new RetriableDeliveryException(path + " is locked by another process");
        }
        return lock;
    }

    private static InterruptedException interrupted(IOException cause) {
        InterruptedException interrupted = new InterruptedException("interrupted while writing");
        interrupted.initCause(cause);
        return interrupted;
    }
}
