package io.weir.rm.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real Slurm of Debian's packages on this host, run by the script beside the tests. Users are "nobody". */
final class SlurmTestCluster implements AutoCloseable {
    private static final Path SCRIPT = Path.of("src/test/slurm/slurm-cluster").toAbsolutePath();

    /** Ports a cluster takes: controller, REST, database and up to 30 nodes. */
    private static final int PORTS = 41;

    private final Path directory;
    private final Map<String, String> environment;

    private SlurmTestCluster(Path directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = environment;
    }

    /** Skips the test, with the reason, where no such cluster can be run. */
    static void assumeInstalled() {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "a Slurm for tests needs root");
        for (String file : List.of(
                "/usr/sbin/slurmctld-wlm", "/usr/sbin/slurmd-wlm", "/usr/sbin/slurmrestd", "/usr/sbin/munged")) {
            Assumptions.assumeTrue(
                    Files.isExecutable(Path.of(file)), file + " is missing: install Slurm with .ci/install-slurm");
        }
    }

    /** Starts a cluster; {@code settings} are those of the script. */
    static SlurmTestCluster start(Map<String, String> settings) {
        assumeInstalled();
        try {
            Path directory = Files.createTempDirectory("weir-slurm");
            // Other users submit jobs here.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            Map<String, String> environment = new TreeMap<>(settings);
            environment.put("SLURM_BASE_PORT", Integer.toString(freePorts()));
            environment.put("SLURM_OWNER", Long.toString(ProcessHandle.current().pid()));
            SlurmTestCluster cluster = new SlurmTestCluster(directory, environment);
            try {
                cluster.script("up");
            } catch (AssertionError e) {
                cluster.close();
                throw e;
            }
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePorts() {
        while (true) {
            int base = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            boolean free = true;
            for (int port = base; port < base + PORTS && free; port++) {
                try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                    free = socket.isBound();
                } catch (IOException e) {
                    free = false;
                }
            }
            if (free) {
                return base;
            }
        }
    }

    Path directory() {
        return directory;
    }

    int restPort() {
        return Integer.parseInt(environment.get("SLURM_BASE_PORT")) + 1;
    }

    /** Runs the script: {@code kill node n1}, {@code start controller} … */
    void script(String... arguments) {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString(), directory.toString()));
        command.addAll(List.of(arguments));
        run(command);
    }

    /** Settings of a connector to this cluster, without prefix. */
    Map<String, String> settings() {
        return new TreeMap<>(Map.of(
                "rest.url",
                "unix:" + directory.resolve("run/rest.sock"),
                "conf",
                directory.resolve("slurm.conf").toString()));
    }

    /** Submits a job as a normal user; returns its id. */
    String submit(String script, String... options) {
        List<String> command = new ArrayList<>(asUser("sbatch", "--parsable", "-D", "/tmp", "-o", "/dev/null"));
        command.addAll(List.of(options));
        command.addAll(List.of("--wrap", script));
        return run(command).strip();
    }

    /** Returns the words that run a command as a normal user. */
    static List<String> asUser(String... command) {
        List<String> words = new ArrayList<>(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        words.addAll(List.of(command));
        return words;
    }

    /** Runs a command as root; returns its output. */
    String run(String... command) {
        return run(List.of(command));
    }

    String run(List<String> command) {
        try {
            Path output = Files.createTempFile("weir-slurm", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    // A file, for daemons inherit it and a pipe would never end.
                    .redirectOutput(output.toFile())
                    .redirectInput(new java.io.File("/dev/null"));
            builder.environment().putAll(environment);
            builder.environment()
                    .put("SLURM_CONF", directory.resolve("slurm.conf").toString());
            builder.environment().put("TZ", "UTC");
            Process process = builder.start();
            boolean ended = process.waitFor(120, TimeUnit.SECONDS);
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

    /** Returns a field of what Slurm itself says about a job. */
    String show(String job, String field) {
        String prefix = field + "=";
        return Stream.of(run("scontrol", "-o", "show", "job", job).split("\\s+"))
                .filter(word -> word.startsWith(prefix))
                .map(word -> word.substring(prefix.length()))
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        script("down");
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
