package io.weir.standalone.access;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/**
 * Files and directories that their owner alone can use, whatever the umask is: they have their permissions from the
 * moment at which they can be seen. Where files have no such permissions, as on Windows, it is the directory above that
 * protects them.
 */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private OwnerOnly() {}

    /**
     * Makes {@code directory}, or takes the rights of others from one that is there.
     *
     * @throws NotPermittedException when it belongs to another user
     */
    public static void directory(Path directory) throws IOException {
        if (create(directory)) {
            return;
        }
        requireOwn(directory);
        restrict(directory, DIRECTORY);
    }

    /**
     * Says whether others can put something of their own into {@code directory}, or in the place of what is there.
     *
     * @throws NotPermittedException when it belongs to another user
     */
    public static boolean isOpen(Path directory) throws IOException {
        requireOwn(directory);
        return hasPermissions(directory)
                && Files.getPosixFilePermissions(directory).stream()
                        .anyMatch(permission -> permission == PosixFilePermission.GROUP_WRITE
                                || permission == PosixFilePermission.OTHERS_WRITE);
    }

    /** Takes the rights of others from {@code file}, if it is there. */
    public static void file(Path file) throws IOException {
        if (Files.exists(file)) {
            restrict(file, FILE);
        }
    }

    /** Makes {@code file}, whole or not at all; of several processes that try, the first one makes it. */
    public static void createOnce(Path file, String content) throws IOException {
        Path draft = draft(file, content);
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            // Made by another process meanwhile: that one counts.
        } finally {
            Files.delete(draft);
        }
    }

    /** Makes {@code file}, or puts a new one in its place. */
    public static void replace(Path file, String content) throws IOException {
        Files.move(draft(file, content), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path draft(Path file, String content) throws IOException {
        Path directory = parent(file);
        Path draft = Files.createTempFile(directory, "." + file.getFileName(), ".new", attributes(directory, FILE));
        return Files.writeString(draft, content, StandardCharsets.UTF_8);
    }

    /** Returns false when it is there. */
    private static boolean create(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return false;
        }
        Path parent = parent(directory);
        Files.createDirectories(parent);
        try {
            Files.createDirectory(directory, attributes(parent, DIRECTORY));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.toAbsolutePath().getParent(), () -> path + " has no directory above it");
    }

    private static void requireOwn(Path directory) throws IOException {
        if (hasPermissions(directory) && (int) Files.getAttribute(directory, "unix:uid") != new UnixSystem().getUid()) {
            throw NotPermittedException.foreign(
                    directory, Files.getOwner(directory).getName());
        }
    }

    private static void restrict(Path path, Set<PosixFilePermission> most) throws IOException {
        if (!hasPermissions(path)) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
        if (!most.containsAll(permissions)) {
            permissions.retainAll(most);
            Files.setPosixFilePermissions(path, permissions);
        }
    }

    private static FileAttribute<?>[] attributes(Path directory, Set<PosixFilePermission> permissions)
            throws IOException {
        return hasPermissions(directory)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean hasPermissions(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView("unix");
    }
}
