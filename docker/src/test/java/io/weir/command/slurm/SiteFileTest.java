package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteFileTest {
    @TempDir
    Path directory;

    @Test
    void shouldLeaveTheFileWholeWhenItCannotBeWritten() throws IOException {
        Path path = directory.resolve("slurm.conf");
        Files.writeString(path, "ClusterName=c1\n");
        // Nothing can be written where this directory is.
        Files.createDirectories(directory.resolve("slurm.conf.weir-new/full"));
        SiteFile file = new SiteFile(path);

        assertThatThrownBy(() -> file.change("ClusterName=c2\n"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("cannot write " + path + ": ");
        assertThatThrownBy(() -> file.write("ClusterName=c2\n")).isInstanceOf(IllegalStateException.class);

        assertThat(path).hasContent("ClusterName=c1\n");
    }

    @Test
    void shouldLeaveNothingBesideTheFile() throws IOException {
        new SiteFile(directory.resolve("poke.sh")).writeScript("#!/bin/sh\n");

        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(directory.resolve("poke.sh"));
        }
        assertThat(Files.getPosixFilePermissions(directory.resolve("poke.sh")))
                .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void shouldChangeWhatALinkLeadsTo() throws IOException {
        Path shared = Files.createDirectory(directory.resolve("shared")).resolve("slurm.conf");
        Files.writeString(shared, "ClusterName=c1\n");
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rw-rw----"));
        Path link = Files.createSymbolicLink(directory.resolve("slurm.conf"), shared);

        new SiteFile(link).change("ClusterName=c2\n");

        assertThat(link).isSymbolicLink();
        assertThat(shared).hasContent("ClusterName=c2\n");
        assertThat(Files.getPosixFilePermissions(shared)).isEqualTo(PosixFilePermissions.fromString("rw-rw----"));
    }

    @Test
    void shouldBeAsOldAsItIsTold() {
        SiteFile file = new SiteFile(directory.resolve("job_submit.lua"));

        file.write("-- Weir's\n", FileTime.fromMillis(5000));

        assertThat(file.modified()).isEqualTo(FileTime.fromMillis(5000));
    }
}
