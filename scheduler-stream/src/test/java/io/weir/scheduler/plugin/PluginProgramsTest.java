package io.weir.scheduler.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be started, and by which words. */
class PluginProgramsTest {
    @TempDir
    Path directory;

    private Path program;

    @BeforeEach
    void write() throws IOException {
        program = program("choose");
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "exec://own", "PATH", "exec://PATH"})
    void shouldFindAListedProgramByItsNameOrItsPath(String wanted) throws PluginFailure {
        PluginPrograms programs = PluginPrograms.of(List.of("own=" + program));

        assertThat(programs.find(wanted.replace("PATH", program.toString()))).isEqualTo(program);
    }

    @ParameterizedTest
    @ValueSource(strings = {"choose", "exec://choose", "DIR/choose"})
    void shouldFindAProgramOfAListedDirectory(String wanted) throws PluginFailure {
        PluginPrograms programs = PluginPrograms.of(List.of(directory.toString()));

        assertThat(programs.find(wanted.replace("DIR", directory.toString()))).isEqualTo(program);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/bin/sh",
                "exec:///bin/sh",
                "sh",
                "..",
                "../choose",
                "DIR/../bin/sh",
                "DIR//choose",
                "DIR/",
                "DIR/within/choose",
                "within/choose",
                "$SHELL",
                "choose -x",
                "OWN",
                "choose\u0000x"
            })
    void shouldFindNothingElse(String wanted) throws IOException {
        Files.createDirectory(directory.resolve("within"));
        Files.copy(program, directory.resolve("within/choose"));
        PluginPrograms programs = PluginPrograms.of(List.of("own=" + program, directory.toString()));

        assertThatThrownBy(() -> programs.find(wanted.replace("DIR", directory.toString())))
                .isInstanceOf(PluginFailure.class)
                .hasMessageContaining("plugin.programs");
        assertThatThrownBy(() -> PluginPrograms.NONE.find("own")).isInstanceOf(PluginFailure.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxr-x", "rwxr-xrwx"})
    void shouldNotStartWhatOthersCanChange(String permissions) throws IOException {
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString(permissions));

        assertThatThrownBy(() -> PluginPrograms.of(List.of("own=" + program)).find("own"))
                .isInstanceOf(PluginFailure.class)
                .hasMessageContaining(program + " can be changed by others");
    }

    @Test
    void shouldNotStartWhatOthersCanReplace() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> PluginPrograms.of(List.of("own=" + program)).find("own"))
                .isInstanceOf(PluginFailure.class)
                .hasMessageContaining(directory + " can be changed by others");
    }

    @Test
    void shouldNotStartWhatBelongsToAnother() throws IOException {
        assumeThat(new UnixSystem().getUid()).as("only root gives files away").isZero();
        Files.setAttribute(program, "unix:uid", 65_534);

        assertThatThrownBy(() -> PluginPrograms.of(List.of("own=" + program)).find("own"))
                .isInstanceOf(PluginFailure.class)
                .hasMessageContaining("belong to root or to the service's user");
    }

    @Test
    void shouldNotFollowASymbolicLink() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), program);

        assertThatThrownBy(() -> PluginPrograms.of(List.of("own=" + link)).find("own"))
                .isInstanceOf(PluginFailure.class)
                .hasMessageContaining("list " + program);
    }

    @Test
    void shouldSayWhenTheProgramIsGone() throws IOException {
        Files.delete(program);

        assertThatThrownBy(() -> PluginPrograms.of(List.of("own=" + program)).find("own"))
                .isInstanceOf(PluginFailure.class)
                .hasMessageContaining("no such program");
    }

    @ParameterizedTest
    @ValueSource(strings = {"relative", "own=relative", "=/bin/sh", "a/b=/bin/sh", "own=/usr/../bin/sh"})
    void shouldRefuseEntriesThatAreNoPaths(String entry) {
        assertThatThrownBy(() -> PluginPrograms.of(List.of(entry)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(entry);
    }

    private Path program(String name) throws IOException {
        Path path = directory.toRealPath().resolve(name);
        Files.writeString(path, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
