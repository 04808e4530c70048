package io.weir.command.nonstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Feature;
import io.weir.command.terminal.BadInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts that a batch job runs, in a shell, with a stand-in for smd that writes down how it was called. */
@NullUnmarked
class NonstopScriptsTest {
    private static final Path STEPS = Path.of("bin", "job", "steps.sh").toAbsolutePath();

    @TempDir
    Path directory;

    private int exit;

    private List<String> steps(String smd, Map<String, String> more) throws IOException, InterruptedException {
        Path program = directory.resolve("smd");
        Files.writeString(program, "#!/bin/sh\necho \"smd $*\"\n" + smd + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        ProcessBuilder shell = new ProcessBuilder("sh", STEPS.toString(), "sh", "-c", "echo step on $SLURM_NODELIST")
                .redirectErrorStream(true);
        shell.environment()
                .putAll(Map.of(
                        "SMD", program.toString(),
                        "SLURM_JOB_ID", "17",
                        "SLURM_NODELIST", "dario,ercole",
                        "SMD_ENV_DIR", directory.toString(),
                        "STEPS", "2"));
        shell.environment().putAll(more);
        Process process = shell.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        exit = process.waitFor();
        return said.lines().toList();
    }

    @Test
    @Feature({"SMD-11", "SMD-52"})
    void shouldLookForFailedNodesAfterEachStep() throws Exception {
        assertThat(steps("exit 0", Map.of()))
                .containsExactly(
                        "steps: step 1 on dario,ercole",
                        "step on dario,ercole",
                        "smd --handle-failed",
                        "steps: step 2 on dario,ercole",
                        "step on dario,ercole",
                        "smd --handle-failed");
        assertThat(exit).isZero();
    }

    @Test
    @Feature("SMD-52")
    void shouldStopWhenNodesCannotBeReplaced() throws Exception {
        assertThat(steps("exit 1", Map.of())).containsSubsequence("step on dario,ercole", "smd --handle-failed");
        assertThat(exit).isEqualTo(1);
    }

    @Test
    void shouldHandleFailingNodesWhereADirectiveSaysHow() throws Exception {
        assertThat(steps("exit 0", Map.of("SMD_NONSTOP_FAILING", "REPLACE", "STEPS", "1")))
                .contains("smd --handle-failed", "smd --handle-failing");
    }

    @Test
    @Feature("SMD-62")
    void shouldRunTheNextStepOnTheNewNodes() throws Exception {
        JobEnvironment changed = new JobEnvironment(List.of("dario", "prometeo"), "2(x2)", true);
        changed.write(directory.resolve("prepared"));
        String replaces = "cp " + directory.resolve("prepared") + " " + JobEnvironment.file(directory, "17");
        assertThat(steps(replaces, Map.of()))
                .containsSubsequence("step on dario,ercole", "smd --handle-failed", "step on dario,prometeo");
    }

    /** Everybody may put a link under a name that everybody knows. */
    @Test
    void shouldNotRunWhatIsLinkedInPlaceOfTheEnvironment() throws Exception {
        Path elsewhere = directory.resolve("elsewhere");
        Files.writeString(elsewhere, "echo hijacked\n");
        Files.createSymbolicLink(JobEnvironment.file(directory, "17"), elsewhere);

        assertThat(steps("exit 0", Map.of()))
                .doesNotContain("hijacked")
                .anySatisfy(line -> assertThat(line).contains("is not this user's own file"));
        assertThat(exit).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"n1;id", "$(id)", "a b", "n1\nid", "`id`", ""})
    void shouldWriteNoNodeNameThatAShellWouldRun(String node) {
        assertThatThrownBy(() -> new JobEnvironment(List.of(node), "2", true)).isInstanceOf(BadInputException.class);
    }

    @Test
    @Feature("SMD-61")
    void shouldKeepTheCountsOfProcessorsThroughAShell() throws Exception {
        JobEnvironment changed = new JobEnvironment(List.of("dario", "prometeo", "spartaco"), "4(x2),2", true);
        changed.write(directory.resolve("env.sh"));
        Process shell = new ProcessBuilder(
                        "sh",
                        "-c",
                        "SLURM_TASKS_PER_NODE=9; . ./env.sh; echo $SLURM_JOB_CPUS_PER_NODE"
                                + " ${SLURM_TASKS_PER_NODE-none}")
                .directory(directory.toFile())
                .start();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("4(x2),2 none\n");
        assertThat(shell.waitFor()).isZero();
    }
}
