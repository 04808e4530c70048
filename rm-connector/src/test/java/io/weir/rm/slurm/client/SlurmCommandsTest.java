package io.weir.rm.slurm.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.spi.RetriableRmException;
import io.weir.rm.spi.RmException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slurm's commands where they cannot be run. */
class SlurmCommandsTest {
    @TempDir
    Path directory;

    private SlurmCommands commands;

    @BeforeEach
    void open() {
        commands = new SlurmCommands(directory, null, Duration.ofSeconds(10));
    }

    @AfterEach
    void close() {
        commands.close();
    }

    private Path install() throws IOException {
        Path program = Files.copy(Path.of("/bin/true"), directory.resolve("squeue"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    @Test
    void shouldSayThatThereAreNone() {
        assertThatThrownBy(commands::queue)
                .isInstanceOf(RmException.class)
                .isNotInstanceOf(RetriableRmException.class)
                .hasMessageContaining("rm.slurm.commands.dir");
    }

    @Test
    void shouldExpectACommandBackThatHasRunBefore() throws IOException {
        Path program = install();
        assertThat(commands.queue()).isEmpty();
        Files.delete(program);

        assertThatThrownBy(commands::queue).isInstanceOf(RetriableRmException.class);
        install();
        assertThat(commands.queue()).isEmpty();
    }

    @Test
    void shouldExpectACommandThatIsBeingWritten() throws IOException {
        Path program = install();
        try (FileChannel written = FileChannel.open(program, StandardOpenOption.WRITE)) {
            assertThatThrownBy(commands::queue).isInstanceOf(RetriableRmException.class);
            assertThat(written.isOpen()).isTrue();
        }
        assertThat(commands.queue()).isEmpty();
    }
}
