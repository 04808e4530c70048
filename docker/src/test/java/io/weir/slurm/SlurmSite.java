package io.weir.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.rm.runtime.RunnerListener;
import io.weir.rm.site.ScriptedSite;
import io.weir.standalone.Component;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.topics.TopicNames;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/**
 * A real Slurm on this host, as a site would run it, by the connector's script for test clusters. Its user is "nobody".
 * What it says of its jobs is its own record, not Weir's.
 */
public final class SlurmSite implements AutoCloseable {
    private static final Path SCRIPT = Path.of("../rm-connector/src/test/slurm/slurm-cluster")
            .toAbsolutePath()
            .normalize();

    /** What Weir calls a cluster that it schedules. */
    static final String CLUSTER = "site";

    private final ScriptedSite site;
    private final Map<String, TreeSet<String>> expanded = new HashMap<>();

    private SlurmSite(ScriptedSite site) {
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
    public static SlurmSite start(Map<String, String> settings) {
        assumeInstalled();
        Map<String, String> environment = new TreeMap<>(settings);
        environment.put("SLURM_BASE_PORT", "any");
        environment.put("SLURM_OWNER", Long.toString(ProcessHandle.current().pid()));
        return new SlurmSite(ScriptedSite.up(SCRIPT, "weir-slurm", environment));
    }

    public Path directory() {
        return site.directory();
    }

    /** Settings of a connector to this cluster. */
    Map<String, String> connectorSettings() {
        return Map.of(
                "rm.type",
                "slurm",
                "rm.slurm.rest.url",
                "unix:" + directory().resolve("run/rest.sock"),
                // All nodes have the load of this host, whoever causes it.
                "rm.slurm.report.load",
                "false",
                "rm.slurm.conf",
                directory().resolve("slurm.conf").toString());
    }

    /** Settings of a connector that Slurm's scripts are to poke. */
    Map<String, String> pokes() {
        return Map.of("connector.poke.file", directory().resolve("poke").toString());
    }

    /** Starts Weir as the scheduler of this cluster, with further settings. */
    Standalone startWeir(Path data, Map<String, String> settings) {
        return startWeir(data, settings, connection -> {});
    }

    /** Starts Weir with a policy in force before anything is scheduled. */
    Standalone startWeir(Path data, Map<String, String> settings, String policy) {
        return startWeir(
                data,
                settings,
                connection -> new PolicyPublisher(connection, new TopicNames(TopicNames.DEFAULT_PREFIX))
                        .publish(CLUSTER, policy, "site.cfg"));
    }

    private Standalone startWeir(Path data, Map<String, String> settings, Consumer<Connection> first) {
        Map<String, String> all = new HashMap<>(connectorSettings());
        all.put("cluster", CLUSTER);
        all.put("clusters", CLUSTER);
        all.putAll(settings);
        return Standalone.start(
                new StandaloneConfig(new DataDirectory(data), 0, 0, Map.of(), all),
                EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.CONNECTOR),
                RunnerListener.NONE,
                first);
    }

    /** Runs the script: {@code kill node n1}, {@code start controller} … */
    public void script(String... arguments) {
        site.script(arguments);
    }

    /** Submits a job as a normal user; returns its id. */
    public String submit(String script, String... options) {
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
    public String run(List<String> command) {
        return site.run(
                command, Map.of("SLURM_CONF", directory().resolve("slurm.conf").toString(), "TZ", "UTC"));
    }

    /** Runs a command that succeeds, and returns what it prints. */
    public static String weir(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        assertThat(command.execute(words)).as("%s", err).isEqualTo(ExitCode.FINE);
        return out.toString();
    }

    @Override
    public void close() {
        site.down();
    }
}
