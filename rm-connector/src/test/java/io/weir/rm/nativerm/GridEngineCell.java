package io.weir.rm.nativerm;

import io.weir.rm.site.ScriptedSite;
import io.weir.rm.spi.ResourceManager;
import io.weir.rm.spi.RmContext;
import io.weir.topics.AvroTrust;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A real Grid Engine of two hosts on this host, run by the script beside the tests. Jobs are those of "nobody". */
final class GridEngineCell implements AutoCloseable {
    /** Where the scripts are that connect it. */
    static final Path SCRIPTS = Path.of("src/main/scripts/gridengine").toAbsolutePath();

    private static final Map<NativeUrl, String> FILES = Map.ofEntries(
            Map.entry(NativeUrl.CLUSTER_QUERY, "nodes.sh"),
            Map.entry(NativeUrl.WORKLOAD_QUERY, "jobs.sh"),
            Map.entry(NativeUrl.SYSTEM_QUERY, "system.sh"),
            Map.entry(NativeUrl.JOB_START, "start.sh"),
            Map.entry(NativeUrl.JOB_CANCEL, "cancel.sh"),
            Map.entry(NativeUrl.JOB_REQUEUE, "requeue.sh"),
            Map.entry(NativeUrl.JOB_SUSPEND, "suspend.sh"),
            Map.entry(NativeUrl.JOB_RESUME, "resume.sh"),
            Map.entry(NativeUrl.JOB_MODIFY, "modify.sh"),
            Map.entry(NativeUrl.NODE_MODIFY, "nodes-modify.sh"));

    private static final Path CELL = Path.of("src/test/gridengine/gridengine-cell");

    static {
        AvroTrust.install();
    }

    private final ScriptedSite site;

    private GridEngineCell(ScriptedSite site) {
        this.site = site;
    }

    /** Starts a cell; skips the test, with the reason, where none can be run. */
    static GridEngineCell start() {
        ScriptedSite.assume(
                "Grid Engine",
                List.of("/usr/sbin/sge_qmaster", "/usr/sbin/sge_execd", "/usr/bin/nsenter", "/usr/sbin/ip"),
                ".ci/install-gridengine");
        return new GridEngineCell(ScriptedSite.up(
                CELL,
                "weir-gridengine",
                Map.of("GE_OWNER", Long.toString(ProcessHandle.current().pid()))));
    }

    /** Leaves the cell with two jobs, which wait. */
    void prepare() {
        clear();
        submit("sleep 1000");
        submit("sleep 1000");
    }

    /** Opens the connection to the cell, with what it keeps in {@code directory} and settings beside the usual ones. */
    ResourceManager connect(Path directory, Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(more);
        FILES.forEach((url, file) -> settings.put(url.key(), "exec://" + script(file)));
        // The load of a real machine changes between two polls, in which nothing else did.
        settings.put("environment", "GE_LOAD=no");
        return new NativeProvider().open(new RmContext("contract", "rm", directory, settings));
    }

    /** Returns the command that runs one of Weir's scripts where Grid Engine is. */
    private String script(String file) {
        return site.script() + " " + site.directory() + " run sh " + SCRIPTS.resolve(file);
    }

    /** Deletes all jobs, forgets those that ended, and puts all nodes into service. */
    void clear() {
        run(
                "sh",
                "-c",
                "qdel -f -u '*' >/dev/null 2>&1; qmod -e '*' >/dev/null; while qstat -u '*' | grep -q .; do sleep 0.2; done;"
                        // Not created here: the master, which is not root, has to write to it.
                        + " truncate -c -s 0 "
                        + site.directory().resolve("root/default/common/accounting"));
    }

    /** Submits a job, which the cell holds for Weir. */
    private void submit(String script) {
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
        return site.script(arguments);
    }

    @Override
    public void close() {
        site.down();
    }
}
