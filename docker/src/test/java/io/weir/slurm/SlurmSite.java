package io.weir.slurm;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Slurm on this host, as a site would run it, by the connector's script for test clusters. Its user is "nobody".
 * What it says of its jobs is its own record, not Weir's. The connector's tests have a class like it; a jar of test classes
 * would be shared at the price of builds that skip tests.
 */
final class SlurmSite implements AutoCloseable {
    private static final Path SCRIPT = Path.of("../rm-connector/src/test/slurm/slurm-cluster")
            .toAbsolutePath()
            .normalize();

    private final Path directory;
    private final Map<String, String> environment;
    private final Map<String, TreeSet<String>> expanded = new HashMap<>();

    private SlurmSite(Path directory, Map<String, String> environment) {
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
    static SlurmSite start(Map<String, String> settings) throws IOException {
        assumeInstalled();
        Path directory = Files.createTempDirectory("weir-slurm");
        // Other users submit jobs here.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment = new TreeMap<>(settings);
        environment.put("SLURM_BASE_PORT", "any");
        environment.put("SLURM_OWNER", Long.toString(ProcessHandle.current().pid()));
        SlurmSite site = new SlurmSite(directory, environment);
        try {
            site.script("up");
        } catch (AssertionError e) {
            site.close();
            throw e;
        }
        return site;
    }

    Path directory() {
        return directory;
    }

    /** Settings of a connector to this cluster. */
    Map<String, String> connectorSettings() {
        return Map.of(
                "rm.type",
                "slurm",
                "rm.slurm.rest.url",
                "unix:" + directory.resolve("run/rest.sock"),
                // All nodes have the load of this host, whoever causes it.
                "rm.slurm.report.load",
                "false",
                "rm.slurm.conf",
                directory.resolve("slurm.conf").toString());
    }

    /** Runs the script: {@code kill node n1}, {@code start controller} … */
    void script(String... arguments) {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString(), directory.toString()));
        command.addAll(List.of(arguments));
        run(command);
    }

    /** Submits a job as a normal user; returns its id. */
    String submit(String script, String... options) {
        List<String> command = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=nobody",
                "--regid=nogroup",
                "--clear-groups",
                "sbatch",
                "--parsable",
                "-D",
                "/tmp",
                "-o",
                "/dev/null"));
        command.addAll(List.of(options));
        command.addAll(List.of("--wrap", script));
        return run(command).strip();
    }

    /**
     * A job in Slurm's record.
     *
     * @param nodes where it runs or ran; empty before
     */
    record SlurmRecord(String id, String state, int restarts, TreeSet<String> nodes) {}

    /** Returns Slurm's record of all jobs, by number. */
    SortedMap<Long, SlurmRecord> jobs() {
        SortedMap<Long, SlurmRecord> jobs = new TreeMap<>();
        for (String line : run(List.of("scontrol", "-o", "show", "jobs")).split("\n")) {
            if (line.startsWith("JobId=")) {
                jobs.put(
                        Long.parseLong(field(line, "JobId")),
                        new SlurmRecord(
                                field(line, "JobId"),
                                field(line, "JobState"),
                                Integer.parseInt(field(line, "Restarts")),
                                names(field(line, "NodeList"))));
            }
        }
        return jobs;
    }

    private static String field(String line, String name) {
        Matcher matcher = Pattern.compile("(?:^| )" + name + "=(\\S*)").matcher(line);
        return matcher.find() ? matcher.group(1) : "";
    }

    private TreeSet<String> names(String list) {
        if (list.isEmpty() || list.equals("(null)")) {
            return new TreeSet<>();
        }
        return expanded.computeIfAbsent(
                list,
                text -> new TreeSet<>(List.of(run(List.of("scontrol", "show", "hostnames", text))
                        .strip()
                        .split("\n"))));
    }

    /** Runs a command as root; returns its output. */
    String run(List<String> command) {
        try {
            Path output = Files.createTempFile("weir-slurm", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    // A file, for daemons inherit it and a pipe would never end.
                    .redirectOutput(output.toFile())
                    .redirectInput(new File("/dev/null"));
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
