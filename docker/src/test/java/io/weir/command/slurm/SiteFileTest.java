package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

    /** Comments in slurm.conf are in the encoding of whoever wrote them. */
    @Test
    void shouldKeepWhatIsNoUtf8() throws IOException {
        Path path = directory.resolve("slurm.conf");
        byte[] latin = "# M\u00fcller\nClusterName=c1\n".getBytes(StandardCharsets.ISO_8859_1);
        byte[] utf = "# M\u00fcller \ud83d\udca1 \u2026\n".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(latin);
        both.writeBytes(utf);
        // The beginning of a character at the very end.
        both.write(0xE2);
        Files.write(path, both.toByteArray());
        SiteFile file = new SiteFile(path);

        assertThat(file.content().lines()).contains("ClusterName=c1", "# M\u00fcller \ud83d\udca1 \u2026");
        file.change(file.content().replace("c1", "c2"));

        byte[] changed = both.toByteArray();
        changed[latin.length - 2] = '2';
        assertThat(path).hasBinaryContent(changed);
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
