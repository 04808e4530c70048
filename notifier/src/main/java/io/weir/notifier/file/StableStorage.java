package io.weir.notifier.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Makes files outlast a crash of the machine. Also what was found in a file is forced before it counts: whoever wrote it may
 * have ended before. Owned by the thread of its notifier.
 */
class StableStorage {

    /** The file whose name was forced last, as the file system tells files apart; null before the first. */
    private @Nullable Object named;

    /**
     * Forces what {@code file} holds, and its name at {@code path} unless that was done before.
     *
     * @param isNew whether the file was not there when it was opened
     */
    final void force(Path path, FileChannel file, boolean isNew) throws IOException {
        forceContent(file);
        Object key = key(path);
        Path directory = path.getParent();
        if (directory != null && (isNew || key == null || !key.equals(named))) {
            forceDirectory(directory);
        }
        named = key;
    }

    /** Null for a file that was moved away in this moment: what was written to it is as good as before. */
    private static @Nullable Object key(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    void forceContent(FileChannel file) throws IOException {
        file.force(true);
    }

    void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
