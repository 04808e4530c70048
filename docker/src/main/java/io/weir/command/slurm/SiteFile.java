package io.weir.command.slurm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * slurm.conf or a file beside it. It is replaced whole or not at all, whatever becomes of the command, the disk or the host
 * meanwhile.
 *
 * @param path where it is
 */
record SiteFile(Path path) {
    /** The controller's user and everybody's sbatch have to read these, whatever the umask. */
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    private static final Set<PosixFilePermission> EXECUTABLE = PosixFilePermissions.fromString("rwxr-xr-x");

    private static final String FRESH = ".weir-new";

    boolean exists() {
        return Files.exists(path);
    }

    /**
     * Returns the text of the file; empty when there is none.
     *
     * @throws IllegalStateException if it cannot be read; so do the others if it cannot be written
     */
    String content() {
        try {
            return exists() ? ByteText.of(Files.readAllBytes(path)) : "";
        } catch (IOException e) {
            throw failure("read", path, e);
        }
    }

    FileTime modified() {
        try {
            return Files.getLastModifiedTime(path);
        } catch (IOException e) {
            throw failure("read", path, e);
        }
    }

    /** Writes the file, which everybody may read. */
    void write(String text) {
        replace(path, text, READABLE, null);
    }

    /** Writes the file as one that was last changed then. */
    void write(String text, FileTime modified) {
        replace(path, text, READABLE, modified);
    }

    /** Writes the file, which everybody may run. */
    void writeScript(String text) {
        replace(path, text, EXECUTABLE, null);
    }

    /** Changes the text of the file and nothing else; a symbolic link stays one. */
    void change(String text) {
        try {
            replace(path.toRealPath(), text, null, null);
        } catch (IOException e) {
            throw failure("read", path, e);
        }
    }

    private static void replace(
            Path file, String text, @Nullable Set<PosixFilePermission> permissions, @Nullable FileTime modified) {
        Path fresh = file.resolveSibling(file.getFileName() + FRESH);
        try {
            try {
                Files.deleteIfExists(fresh);
                if (permissions == null) {
                    Files.copy(file, fresh, StandardCopyOption.COPY_ATTRIBUTES);
                }
                put(fresh, text);
                if (permissions != null) {
                    Files.setPosixFilePermissions(fresh, permissions);
                }
                if (modified != null) {
                    Files.setLastModifiedTime(fresh, modified);
                }
                Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw failure("write", file, e);
        }
    }

    private static void put(Path file, String text) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(ByteText.bytes(text));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    void moveTo(SiteFile other) {
        try {
            Files.move(path, other.path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failure("move", path, e);
        }
    }

    void delete() {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw failure("remove", path, e);
        }
    }

    private static IllegalStateException failure(String verb, Path file, IOException e) {
        return new IllegalStateException("cannot " + verb + " " + file + ": " + reason(e), e);
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof CharacterCodingException) {
            return "it is not in UTF-8";
        }
        String reason = e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return reason == null ? e.toString() : reason;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
