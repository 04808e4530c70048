package io.weir.rm.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A resource manager on this host that a script starts and stops below a directory of its own. Tests are skipped, with the
 * reason, where it cannot be run.
 */
public final class ScriptedSite {
    private static final long LONGEST_SECONDS = 180;

    private final Path script;
    private final Path directory;
    private final Map<String, String> environment;

    private ScriptedSite(Path script, Path directory, Map<String, String> environment) {
        this.script = script.toAbsolutePath();
        this.directory = directory;
        this.environment = Map.copyOf(environment);
    }

    /** Skips the test unless it is run by root and all these programs are there. */
    public static void assume(String what, List<String> programs, String installer) {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")), () -> "a " + what + " for tests needs root");
        for (String program : programs) {
            Assumptions.assumeTrue(
                    Files.isExecutable(Path.of(program)), () -> program + " is missing: install it with " + installer);
        }
    }

    /** Makes a directory and has the script start everything there. */
    public static ScriptedSite up(Path script, String name, Map<String, String> environment) {
        ScriptedSite site;
        try {
            Path directory = Files.createTempDirectory(name);
            // Jobs of others run here.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            site = new ScriptedSite(script, directory, environment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            site.script("up");
        } catch (AssertionError e) {
            site.down();
            throw e;
        }
        return site;
    }

    public Path script() {
        return script;
    }

    public Path directory() {
        return directory;
    }

    /** Runs the script on this site; returns what it says. */
    public String script(String... arguments) {
        List<String> command = new ArrayList<>(List.of(script.toString(), directory.toString()));
        command.addAll(List.of(arguments));
        return run(command, Map.of());
    }

    /** Runs a command as root, which has to succeed; returns what it says. */
    public String run(List<String> command, Map<String, String> more) {
        try {
            Path output = Files.createTempFile("weir-site", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    // A file, for daemons inherit it and a pipe would never end.
                    .redirectOutput(output.toFile())
                    .redirectInput(new File("/dev/null"));
            builder.environment().putAll(environment);
            builder.environment().putAll(more);
            Process process = builder.start();
            boolean ended = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
            String text = Files.readString(output, StandardCharsets.UTF_8);
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

    /** Stops everything and deletes the directory. */
    public void down() {
        script("down");
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
