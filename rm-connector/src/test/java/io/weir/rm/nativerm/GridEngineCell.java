package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real Grid Engine of two hosts on this host, run by the script beside the tests. Jobs are those of "nobody". */
final class GridEngineCell implements AutoCloseable {
    /** Where the scripts are that connect it. */
    static final Path SCRIPTS = Path.of("src/main/scripts/gridengine").toAbsolutePath();

    private static final Path CELL =
            Path.of("src/test/gridengine/gridengine-cell").toAbsolutePath();

    private final Path directory;

    private GridEngineCell(Path directory) {
        this.directory = directory;
    }

    /** Starts a cell; skips the test, with the reason, where none can be run. */
    static GridEngineCell start() {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "a Grid Engine for tests needs root");
        for (String file :
                List.of("/usr/sbin/sge_qmaster", "/usr/sbin/sge_execd", "/usr/bin/nsenter", "/usr/sbin/ip")) {
            Assumptions.assumeTrue(
                    Files.isExecutable(Path.of(file)), file + " is missing: install it with .ci/install-gridengine");
        }
        try {
            Path directory = Files.createTempDirectory("weir-gridengine");
            // Jobs of others run here.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            GridEngineCell cell = new GridEngineCell(directory);
            try {
                cell.cell("up");
            } catch (AssertionError e) {
                cell.close();
                throw e;
            }
            return cell;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command that runs one of Weir's scripts where Grid Engine is. */
    String script(String file) {
        return CELL + " " + directory + " run sh " + SCRIPTS.resolve(file);
    }

    /** Deletes all jobs and forgets those that ended. */
    void clear() {
        run(
                "sh",
                "-c",
                "qdel -f -u '*' >/dev/null 2>&1; while qstat -u '*' | grep -q .; do sleep 0.2; done;"
                        // Not created here: the master, which is not root, has to write to it.
                        + " truncate -c -s 0 "
                        + directory.resolve("root/default/common/accounting"));
    }

    /** Submits a job, which the cell holds for Weir. */
    void submit(String script) {
        run(
                "runuser",
                "-u",
                "nobody",
                "--",
                "sh",
                "-c",
                "echo '" + script + "' | qsub -wd /tmp -r y -l h_rt=100000 -o /dev/null -e /dev/null");
    }

    /** Runs a command as the manager of the cell; returns what it says. */
    String run(String... command) {
        List<String> arguments = new ArrayList<>(List.of("run"));
        arguments.addAll(List.of(command));
        return cell(arguments.toArray(String[]::new));
    }

    /** Has the cell's script do something. */
    String cell(String... arguments) {
        List<String> command = new ArrayList<>(List.of(CELL.toString(), directory.toString()));
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile("weir-gridengine", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    // A file, for daemons inherit it and a pipe would never end.
                    .redirectOutput(output.toFile())
                    .redirectInput(new File("/dev/null"));
            builder.environment()
                    .put("GE_OWNER", Long.toString(ProcessHandle.current().pid()));
            Process process = builder.start();
            boolean ended = process.waitFor(180, TimeUnit.SECONDS);
            String text = Files.readString(output);
            Files.delete(output);
            assertThat(ended).as("%s ended; it said: %s", command, text).isTrue();
            assertThat(process.exitValue()).as("%s: %s", command, text).isZero();
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        cell("down");
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
