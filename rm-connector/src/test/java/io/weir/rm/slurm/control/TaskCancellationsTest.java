package io.weir.rm.slurm.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.slurm.client.SlurmCommands;
import io.weir.rm.spi.CommandCheck;
import io.weir.rm.spi.Ongoing;
import io.weir.rm.spi.RmException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskCancellationsTest {
    @TempDir
    Path commands;

    private void write(String command, String script) throws IOException {
        Path file = Files.writeString(commands.resolve(command), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void shouldTellSlurmLaterOfTasksThatACallWithoutAnAnswerWasAbout() throws IOException {
        write("squeue", "exit 0");
        try (SlurmCommands slurm = new SlurmCommands(commands, null, Duration.ofSeconds(10))) {
            TaskCancellations cancellations =
                    new TaskCancellations(slurm, Duration.ofMinutes(1), () -> Instant.EPOCH, System::nanoTime);
            Ongoing one = cancellations.cancel("7_1");
            Ongoing other = cancellations.cancel("7_2");
            assertThatThrownBy(one::look).isInstanceOf(RmException.class);

            write("scancel", "echo \"$@\" >>" + commands.resolve("told"));

            assertThat(other.look().verdict()).isEqualTo(CommandCheck.Verdict.ANSWERED);
            assertThat(commands.resolve("told")).hasContent("7_2");
        }
    }
}
