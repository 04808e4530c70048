package io.weir.command.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.command.terminal.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a process that runs all services leaves a script with. */
class ExitCodeIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    /** Arabic, for instance, has digits of its own. */
    @Test
    void shouldWriteNumbersAlikeInEveryLocale() throws Exception {
        Path file = Files.writeString(directory.resolve("site.cfg"), "XYZ 1\n");
        ProcessBuilder command = builder("mdiag", "-C", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile());
        command.environment().put("JAVA_TOOL_OPTIONS", "-Duser.language=ar -Duser.country=EG");

        assertThat(exitCode(command.start())).isZero();

        assertThat(directory.resolve("output")).content().contains("0 errors, 1 warnings, 0 others");
    }

    private Process weir(String... arguments) throws IOException {
        return builder(arguments)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    private static ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.weir.command.Main"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private int exitCode(Process process) throws InterruptedException, IOException {
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("ended; output: %s", Files.readString(directory.resolve("output")))
                    .isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private Process runTrace(String policy) throws IOException {
        Path trace =
                Files.writeString(directory.resolve("trace.swf"), "1 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n");
        Path config = Files.writeString(directory.resolve("weir.cfg"), policy);
        return weir(
                "run-trace",
                "--trace=" + trace,
                "--config=" + config,
                "--nodes=1",
                "--procs-per-node=1",
                "--data=" + directory.resolve("data"));
    }

    @Test
    void shouldBeZeroForATraceWithAllJobsRun() throws IOException, InterruptedException {
        assertThat(exitCode(runTrace("RESERVATIONDEPTH 1\n"))).isEqualTo(ExitCode.FINE);
    }

    @Test
    void shouldBeOneForATraceWithAJobThatNeverRan() throws IOException, InterruptedException {
        assertThat(exitCode(runTrace("CLASSCFG[DEFAULT] MIN.PROC=2\n"))).isEqualTo(ExitCode.FAILED);
    }

    /** A script would take what is missing for a result: while jobs run, and while the services start. */
    @ParameterizedTest
    @ValueSource(strings = {"connector/ledger.log", "broker/kafka/meta.properties"})
    void shouldNotBeZeroForATraceThatWasStopped(String sign) throws IOException, InterruptedException {
        Process run = weir(
                "run-trace",
                "--trace=" + longTrace(),
                "--nodes=1",
                "--procs-per-node=1",
                "--data=" + directory.resolve("data"),
                "--out=" + directory.resolve("out.csv"));
        Path awaited = directory.resolve("data").resolve(sign);
        Awaitility.await()
                .atMost(PATIENCE)
                .failFast("it ended", () -> !run.isAlive())
                .until(() -> Files.exists(awaited) && Files.size(awaited) > 0);
        run.destroy();

        assertThat(exitCode(run)).isEqualTo(143);
        assertThat(Files.readString(directory.resolve("output"))).contains("stopped before all jobs had ended");
        assertThat(directory.resolve("out.csv")).doesNotExist();
    }

    @Test
    void shouldLeaveNoProcessOfADrillThatWasStopped() throws IOException, InterruptedException {
        Process drill = weir(
                "crash-drill",
                "--trace=" + longTrace(),
                "--nodes=1",
                "--procs-per-node=1",
                "--kill=scheduler=1",
                "--data=" + directory.resolve("data"));
        List<ProcessHandle> components = new ArrayList<>();
        Awaitility.await()
                .atMost(PATIENCE)
                .failFast("it ended", () -> !drill.isAlive())
                .until(() -> {
                    components.addAll(drill.descendants().toList());
                    return !components.isEmpty();
                });
        drill.destroy();
        exitCode(drill);

        try {
            Awaitility.await().atMost(PATIENCE).until(() -> components.stream().noneMatch(ProcessHandle::isAlive));
        } finally {
            components.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private Path longTrace() throws IOException {
        StringBuilder jobs = new StringBuilder();
        for (int job = 1; job <= 20_000; job++) {
            jobs.append(job).append(" 0 -1 10 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1\n");
        }
        return Files.writeString(directory.resolve("long.swf"), jobs);
    }

    @Test
    void shouldBeOneWithAWordForOutputThatHasNoRoom() throws IOException, InterruptedException {
        File full = new File("/dev/full");
        Assumptions.assumeTrue(full.exists(), "no /dev/full here");

        Process topics = builder("topics")
                .redirectOutput(full)
                .redirectError(directory.resolve("output").toFile())
                .start();

        assertThat(exitCode(topics)).isEqualTo(ExitCode.FAILED);
        assertThat(Files.readString(directory.resolve("output")))
                .startsWith("weir: part of the output could not be written: ");
    }

    @Test
    void shouldBeZeroForALauncherThatWasToldToStop() throws IOException, InterruptedException {
        Path data = directory.resolve("data");
        Process launcher = weir("standalone", "--data=" + data, "--port=0", "--registry-port=0");
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .failFast("it ended", () -> !launcher.isAlive())
                    .until(() -> Files.readString(directory.resolve("output")).contains("Running broker"));
            launcher.destroy();
        } finally {
            assertThat(exitCode(launcher)).isEqualTo(ExitCode.FINE);
        }
    }
}
