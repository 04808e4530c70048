package io.weir.command.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SlurmCommandTest {
    @TempDir
    Path directory;

    private final StringWriter said = new StringWriter();

    @Test
    void shouldWantAFile() {
        assertThat(takeover(directory)).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(said.toString())
                .isEqualToIgnoringNewLines(
                        directory + " is no file: name slurm.conf by --conf, on the controller's host.");
    }

    @Test
    void shouldWantAFileThatIsThere() {
        Path missing = directory.resolve("slurm.conf");

        assertThat(takeover(missing)).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(said.toString()).startsWith("There is no " + missing);
    }

    private int takeover(Path conf) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(said, true));
        command.setErr(new PrintWriter(said, true));
        return command.execute("slurm", "takeover", "--yes", "--conf", conf.toString(), "--restart", "/bin/false");
    }

    @Test
    void shouldBeCalledByWhoMayHoldTheJobsOfOthers() throws IOException {
        Path path = directory.resolve("slurm.conf");
        Files.writeString(path, "ClusterName=c1\n");
        SlurmConf conf = new SlurmConf(path);
        assertThat(SlurmCommand.objection("root", conf)).isEmpty();
        assertThat(SlurmCommand.objection("ann", conf))
                .contains("A cluster is handed over by root, not by ann. Nothing was done.");

        Files.writeString(path, "SlurmUser=slurm\n");

        assertThat(SlurmCommand.objection("slurm", conf)).isEmpty();
        assertThat(SlurmCommand.objection("ann", conf))
                .contains("A cluster is handed over by root or slurm, not by ann. Nothing was done.");
    }
}
