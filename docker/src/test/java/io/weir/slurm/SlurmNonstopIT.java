package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.Feature;
import io.weir.command.nonstop.NonstopSite;
import io.weir.command.nonstop.PrintedRuns;
import io.weir.command.nonstop.SmdMain;
import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.NonstopClient;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * The three runs of a job whose node may fail, on a real Slurm: a batch script of an ordinary user, submitted with
 * --no-kill, calls smd between its steps; nodes die with all that runs on them; what the job then has, Slurm says.
 */
@NullUnmarked
class SlurmNonstopIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static SlurmSite slurm;
    private static NonstopSite weir;
    private static NonstopClient client;
    private static Path scratch;
    private static int jobs;

    private String job = "";
    private Path here;

    @BeforeAll
    static void startEverything() throws Exception {
        SlurmSite.assumeInstalled();
        for (String file : List.of("/usr/sbin/slurmdbd", "/usr/sbin/mariadbd")) {
            Assumptions.assumeTrue(
                    Files.isExecutable(Path.of(file)), file + " is missing: install it with .ci/install-slurm --db");
        }
        slurm = SlurmSite.start(Map.of(
                "SLURM_NODES", "4",
                "SLURM_CPUS", "1",
                "SLURM_DATABASE", "1",
                "SLURM_NODE_TIMEOUT", "5",
                "SLURM_MIN_JOB_AGE", "3600"));
        scratch = open(Files.createDirectories(slurm.directory().resolve("scratch")), "rwxrwxrwx");
        Path root = open(Files.createDirectories(slurm.directory().resolve("weir")), "rwxr-xr-x");
        Map<String, String> settings = new HashMap<>(slurm.connectorSettings());
        settings.put("connector.poll.interval.ms", "500");
        settings.put("connector.poke.file", slurm.directory().resolve("poke").toString());
        weir = new NonstopSite(
                root, settings, "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "TimeLimitDelay=1", "TimeLimitDrop=30");
        slurm.run(List.of("chown", "nobody", weir.admit("nobody").toString()));
        client = weir.client("nobody");
        installSmd();
    }

    @AfterAll
    static void stopEverything() {
        if (weir != null) {
            weir.close();
        }
        if (slurm != null) {
            slurm.close();
        }
    }

    /** Puts what a compute node needs where any user can run it: the scripts, and smd with its few libraries. */
    private static void installSmd() throws IOException, URISyntaxException {
        Path bin = open(Files.createDirectories(slurm.directory().resolve("smd")), "rwxr-xr-x");
        for (String script : List.of("steps.sh", "nonstop.sh")) {
            Files.copy(Path.of("bin", "job", script), bin.resolve(script));
            open(bin.resolve(script), "rwxr-xr-x");
        }
        List<String> path = new ArrayList<>();
        for (Class<?> type :
                List.of(SmdMain.class, CommandLine.class, ObjectMapper.class, JsonFactory.class, JsonInclude.class)) {
            Path source = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path copy = bin.resolve("lib" + path.size() + (Files.isDirectory(source) ? "" : ".jar"));
            copy(source, copy);
            path.add(copy.toString());
        }
        Files.writeString(
                bin.resolve("run-smd"),
                "#!/bin/sh\nexec %s -Xmx128m -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                String.join(":", path),
                                SmdMain.class.getName()));
        open(bin.resolve("run-smd"), "rwxr-xr-x");
        // A step runs a task on each node it has, and then waits until it is told to end.
        Files.writeString(bin.resolve("step"), """
                #!/bin/sh
                n=$(($(cat "$1/steps" 2>/dev/null || echo 0) + 1))
                timeout 30 srun -N$SLURM_NNODES -n$SLURM_NNODES sh -c 'echo $SLURMD_NODENAME' >"$1/ran.$n" 2>"$1/err.$n"
                echo $n >"$1/steps"
                until [ -e "$1/go.$n" ]; do sleep 0.2; done
                """);
        open(bin.resolve("step"), "rwxr-xr-x");
    }

    /** Only classes go along, not what else may lie beside them. */
    private static void copy(Path source, Path target) throws IOException {
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.toList()) {
                Path copy = target.resolve(source.relativize(file).toString());
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
                open(copy, Files.isDirectory(copy) ? "rwxr-xr-x" : "rw-r--r--");
            }
        }
    }

    private static Path open(Path path, String mode) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @AfterEach
    void cleanUp() {
        slurm.run(List.of("scancel", "--user=nobody"));
        for (String node : List.of("n1", "n2", "n3", "n4")) {
            String state = slurm.run(List.of("scontrol", "-o", "show", "node", node));
            if (state.contains("Reason=Not responding")) {
                slurm.script("start", "node", node);
            } else if (state.contains("State=DOWN")) {
                slurm.run(List.of("scontrol", "update", "NodeName=" + node, "State=RESUME"));
            }
        }
        eventually(() -> assertThat(slurm.run(List.of("sinfo", "-h", "-N", "-p", "batch", "-o", "%t")))
                .containsPattern("\\A(idle\\s*){4}\\z"));
    }

    /** Submits a job of two nodes whose steps wait to be told to end. */
    private void submit(int steps, String directives) throws IOException {
        here = open(Files.createDirectory(scratch.resolve("job" + ++jobs)), "rwxrwxrwx");
        Path bin = slurm.directory().resolve("smd");
        String script =
                "export STEPS=%d SMD_NONSTOP_FAILED=%s SMD=%s SMD_ENV_DIR=%s WEIR_NONSTOP_CONF=%s WEIR_TOKEN_FILE=%s; exec %s %s %s"
                        .formatted(
                                steps,
                                directives,
                                bin.resolve("run-smd"),
                                here,
                                weir.conf(),
                                weir.conf().resolveSibling("token.nobody"),
                                bin.resolve("steps.sh"),
                                bin.resolve("step"),
                                here);
        job = slurm.submit(
                script,
                "--no-kill",
                "-N2",
                "-n2",
                "-t60",
                "-o",
                here.resolve("out").toString());
        awaitStep(1);
    }

    private void awaitStep(int number) {
        eventually(() -> assertThat(here.resolve("steps"))
                .as(() -> read("out") + slurm.run(List.of("scontrol", "show", "job", job)))
                .content()
                .isEqualTo(number + "\n"));
    }

    private void endStep(int number) throws IOException {
        Files.createFile(here.resolve("go." + number));
    }

    private String read(String file) {
        try {
            return Files.exists(here.resolve(file)) ? Files.readString(here.resolve(file)) : "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private List<String> printed() {
        return read("out").lines().filter(line -> !line.startsWith("steps: ")).toList();
    }

    private List<String> ran(int step) {
        return read("ran." + step).lines().sorted().toList();
    }

    private TreeSet<String> nodes() {
        return slurm.jobs().get(Long.parseLong(job)).nodes();
    }

    private void kill(String node) {
        slurm.script("kill", "node", node);
        eventually(() -> assertThat(client.failures(job).lost())
                .as(() -> slurm.run(List.of("scontrol", "show", "job", job)))
                .hasSize(1));
    }

    private static void eventually(ThrowingRunnable condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(condition);
    }

    private String field(String name) {
        return slurm.run(List.of("scontrol", "-o", "show", "job", job))
                .replaceAll("(?s).*\\b" + name + "=(\\S*).*", "$1");
    }

    @Test
    @Feature({"SMD-11", "SMD-54"})
    void shouldFindThatNothingFailed() throws Exception {
        submit(1, "REPLACE");
        endStep(1);
        eventually(() -> assertThat(field("JobState")).isEqualTo("COMPLETED"));
        assertThat(printed()).containsExactlyElementsOf(PrintedRuns.nothingFailed(job));
        assertThat(ran(1)).as(read("err.1")).containsExactly("n1", "n2");
    }

    @Test
    @Feature({"SMD-11", "SMD-27", "SMD-53", "SMD-55", "SMD-62"})
    void shouldReplaceTheFailedNodeByASpareAndRunTheNextStepThere() throws Exception {
        submit(2, "REPLACE");
        assertThat(nodes()).containsExactly("n1", "n2");
        kill("n2");

        endStep(1);
        awaitStep(2);

        assertThat(printed()).containsExactlyElementsOf(PrintedRuns.replaced(job, "n2", "n3"));
        assertThat(nodes()).containsExactly("n1", "n3");
        assertThat(field("Restarts")).isEqualTo("0");
        assertThat(ran(2)).as(read("err.2")).containsExactly("n1", "n3");
        assertThat(expansions()).isEqualTo(1);
    }

    @Test
    @Feature({"SMD-11", "SMD-57", "SMD-58", "SMD-62"})
    void shouldWaitThenDropTheNodeAndExtendTheTimeLimit() throws Exception {
        submit(2, "REPLACE:TIME_LIMIT_DELAY=1:DROP:TIME_LIMIT_DROP=30");
        for (String node : List.of("n3", "n4")) {
            slurm.run(List.of("scontrol", "update", "NodeName=" + node, "State=DOWN", "Reason=none-left"));
        }
        kill("n2");

        endStep(1);
        awaitStep(2);

        String file = here.resolve("smd_job_" + job + "_nodes.sh").toString();
        assertThat(PrintedRuns.rounded(printed()))
                .containsExactlyElementsOf(PrintedRuns.waitedAndDropped(job, "n2", file));
        assertThat(nodes()).containsExactly("n1");
        assertThat(field("TimeLimit")).isEqualTo("01:31:00");
        assertThat(ran(2)).as(read("err.2")).containsExactly("n1");
        assertThat(expansions()).isZero();
    }

    /** Returns how many jobs Slurm has on record by which this one got another node. */
    private long expansions() {
        return slurm.run(List.of("scontrol", "-o", "show", "jobs"))
                .lines()
                .filter(line -> line.contains("JobName=weir-expands-" + job + " "))
                .count();
    }

    @Test
    @Feature("SMD-5")
    void shouldRefuseAnotherUsersJob() throws Exception {
        submit(1, "REPLACE");
        try {
            weir.client("mallory").failures(job);
            throw new AssertionError("another user's job was shown");
        } catch (FailureServiceException e) {
            assertThat(e.code()).isEqualTo("EPERM");
        }
        endStep(1);
    }
}
