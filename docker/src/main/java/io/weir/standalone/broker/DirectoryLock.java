package io.weir.standalone.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Exclusive use of a directory by one process. The operating system drops the lock with the process, so a directory is
 * free again after a kill; the file left behind only names the last holder.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final String FILE = "weir.lock";

    /** Directories this process holds: opening and closing such a file once more would drop the lock on POSIX systems. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** Takes {@code directory}, creating it when absent; fails at once when another process or caller has it. */
    public static DirectoryLock take(Path directory) {
        try {
            Path real = Files.createDirectories(directory).toRealPath();
            if (!HELD.add(real)) {
                throw new DirectoryInUseException(directory, "already in use by this very process");
            }
            try {
                return new DirectoryLock(real, lock(directory, real.resolve(FILE)));
            } catch (IOException | RuntimeException e) {
                HELD.remove(real);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot use " + directory + " as a data directory", e);
        }
    }

    /** Says whether some process holds {@code directory} at present. */
    public static boolean isHeld(Path directory) {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            return false;
        }
        try {
            if (HELD.contains(directory.toRealPath())) {
                return true;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                return lock == null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot look at " + file, e);
        }
    }

    private static FileChannel lock(Path directory, Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            channel.close();
            String holder = Files.readString(file, UTF_8).strip();
            throw new DirectoryInUseException(
                    directory,
                    "already in use by process " + (holder.isEmpty() ? "(unknown)" : holder)
                            + "; stop that one or choose another directory");
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(UTF_8)), 0);
        return channel;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot release " + directory.resolve(FILE), e);
        } finally {
            HELD.remove(directory);
        }
    }
}
