package io.weir.rm.slurm;

import io.weir.rm.site.ScriptedSite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A real Slurm of Debian's packages on this host, run by the script beside the tests. Users are "nobody". */
final class SlurmTestCluster implements AutoCloseable {
    private static final Path SCRIPT = Path.of("src/test/slurm/slurm-cluster");

    private final ScriptedSite site;

    private SlurmTestCluster(ScriptedSite site) {
        this.site = site;
    }

    /** Skips the test, with the reason, where no such cluster can be run. */
    static void assumeInstalled() {
        ScriptedSite.assume(
                "Slurm",
                List.of("/usr/sbin/slurmctld-wlm", "/usr/sbin/slurmd-wlm", "/usr/sbin/slurmrestd", "/usr/sbin/munged"),
                ".ci/install-slurm");
    }

    /** Starts a cluster; {@code settings} are those of the script. */
    static SlurmTestCluster start(Map<String, String> settings) {
        assumeInstalled();
        Map<String, String> environment = new TreeMap<>(settings);
        environment.put("SLURM_BASE_PORT", "any");
        environment.put("SLURM_OWNER", Long.toString(ProcessHandle.current().pid()));
        return new SlurmTestCluster(ScriptedSite.up(SCRIPT, "weir-slurm", environment));
    }

    Path directory() {
        return site.directory();
    }

    int restPort() {
        try {
            return Integer.parseInt(
                    Files.readString(directory().resolve("run/rest.port")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the script: {@code kill node n1}, {@code start controller} … */
    void script(String... arguments) {
        site.script(arguments);
    }

    /** Settings of a connector to this cluster, without prefix. */
    Map<String, String> settings() {
        return new TreeMap<>(Map.of(
                "rest.url",
                "unix:" + directory().resolve("run/rest.sock"),
                "conf",
                directory().resolve("slurm.conf").toString()));
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
        return site.run(
                command, Map.of("SLURM_CONF", directory().resolve("slurm.conf").toString(), "TZ", "UTC"));
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
        site.down();
    }
}
