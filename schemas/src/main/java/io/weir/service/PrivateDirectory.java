package io.weir.service;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Makes directories that their owner alone can use, whatever the umask is. One that is there stays as its owner made it. */
public final class PrivateDirectory {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private PrivateDirectory() {}

    /** Makes {@code directory} and those above it that are missing. */
    public static Path create(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return directory;
        }
        try {
            return Files.createDirectories(directory, attributes(directory));
        } catch (FileAlreadyExistsException e) {
            if (Files.isDirectory(directory)) {
                return directory;
            }
            throw e;
        }
    }

    private static FileAttribute<?>[] attributes(Path directory) {
        boolean permissions =
                directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        return permissions
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
                : new FileAttribute<?>[0];
    }
}
