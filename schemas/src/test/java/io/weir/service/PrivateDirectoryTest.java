package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void aNewDirectoryIsItsOwnersAlone() throws IOException {
        Path made = PrivateDirectory.create(directory.resolve("data/connector"));
        assertThat(permissions(made)).isEqualTo("rwx------");
        assertThat(permissions(directory.resolve("data"))).isEqualTo("rwx------");
    }

    @Test
    void anExistingOneStaysAsItsOwnerMadeIt() throws IOException {
        Path made = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-x---"));
        assertThat(permissions(PrivateDirectory.create(made))).isEqualTo("rwxr-x---");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
