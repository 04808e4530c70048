package io.weir.rm.simulated;

import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.ValidString.in;

import io.weir.rm.spi.RmException;
import io.weir.service.setting.Amount;
import io.weir.service.setting.FilePath;
import io.weir.service.setting.TextFile;
import io.weir.trace.SwfTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings of the simulated resource manager, below {@code rm.simulated.}, checked on reading.
 *
 * @param shape the machine
 * @param workload the jobs
 * @param script what goes wrong
 * @param lockStep whether time moves in lock step with the scheduler, else along the wall clock
 * @param scale simulated seconds per second of the wall clock
 * @param forceLedger whether the ledger waits for the disk
 * @param reportUsage whether node reports tell processors in use
 * @param nodeFailure what becomes of the jobs on a node that fails
 */
record SimulatedConfig(
        ClusterShape shape,
        Workload workload,
        FailureScript script,
        boolean lockStep,
        double scale,
        boolean forceLedger,
        boolean reportUsage,
        NodeFailureEffect nodeFailure) {
    private static final Logger log = LoggerFactory.getLogger(SimulatedConfig.class);

    private static final String NODES = "nodes";
    private static final String PROCS_PER_NODE = "procs.per.node";
    private static final String TRACE = "trace";
    private static final String TRACE_FROM = "trace.from";
    private static final String TRACE_JOBS = "trace.jobs";
    private static final String GENERATED_JOBS = "generated.jobs";
    private static final String GENERATED_SEED = "generated.seed";
    private static final String GENERATED_LOAD = "generated.load";
    private static final String GENERATED_LONGEST_RUN = "generated.longest.run.seconds";
    private static final String CLOCK = "clock";
    private static final String CLOCK_LOCK_STEP = "lock-step";
    private static final String CLOCK_SCALED = "scaled";
    private static final String CLOCK_SCALE = "clock.scale";
    private static final String SCRIPT = "script";
    private static final String LEDGER_FSYNC = "ledger.fsync";
    private static final String REPORT_USAGE = "report.usage";
    private static final String NODE_FAILURE = "node.failure";
    private static final int MOST_NODES = 1_000_000;

    /** As many as a report of a node may have. */
    private static final int MOST_PROCS = 10_000_000;

    private static final int MOST_JOBS = 10_000_000;
    private static final long LONGEST_RUN_SECONDS = 315_360_000;

    /** The keys, without their prefix, with defaults, ranges and what they mean. */
    static final ConfigDef DEFINITION = new ConfigDef()
            .define(NODES, Type.INT, 16, between(1, MOST_NODES), Importance.HIGH, "Nodes of the simulated machine.")
            .define(PROCS_PER_NODE, Type.INT, 8, between(1, MOST_PROCS), Importance.HIGH, "Processors of each node.")
            .define(
                    TRACE,
                    Type.STRING,
                    "",
                    new FilePath(),
                    Importance.HIGH,
                    "Trace in the Standard Workload Format, plain or gzip; empty generates a workload.")
            .define(TRACE_FROM, Type.INT, 0, atLeast(0), Importance.MEDIUM, "First usable job of the trace, from 0.")
            .define(
                    TRACE_JOBS,
                    Type.INT,
                    Integer.MAX_VALUE,
                    atLeast(1),
                    Importance.MEDIUM,
                    "Number of usable jobs to take from the trace.")
            .define(GENERATED_JOBS, Type.INT, 1000, between(0, MOST_JOBS), Importance.MEDIUM, "Jobs to generate.")
            .define(GENERATED_SEED, Type.LONG, 1L, Importance.MEDIUM, "Seed of the generated workload.")
            .define(
                    GENERATED_LOAD,
                    Type.DOUBLE,
                    0.9,
                    new Amount(0.01, 1_000),
                    Importance.MEDIUM,
                    "Share of the machine that the generated jobs would use if none waited.")
            .define(
                    GENERATED_LONGEST_RUN,
                    Type.LONG,
                    14_400L,
                    between(10, LONGEST_RUN_SECONDS),
                    Importance.LOW,
                    "Longest run time generated, in seconds.")
            .define(
                    CLOCK,
                    Type.STRING,
                    CLOCK_LOCK_STEP,
                    in(CLOCK_LOCK_STEP, CLOCK_SCALED),
                    Importance.HIGH,
                    "lock-step: virtual time, which advances when the scheduler has answered; scaled: virtual time"
                            + " that follows the wall clock.")
            .define(
                    CLOCK_SCALE,
                    Type.DOUBLE,
                    60.0,
                    new Amount(0.001, 1_000_000),
                    Importance.MEDIUM,
                    "Simulated seconds per second of the wall clock, with a scaled clock.")
            .define(
                    SCRIPT,
                    Type.STRING,
                    "",
                    new FilePath(),
                    Importance.MEDIUM,
                    "File with the failure script; empty for none.")
            .define(
                    LEDGER_FSYNC,
                    Type.BOOLEAN,
                    true,
                    Importance.LOW,
                    "Whether each write to the ledger waits for the disk. If not, the ledger survives a kill but not a"
                            + " power failure.")
            .define(
                    REPORT_USAGE,
                    Type.BOOLEAN,
                    false,
                    Importance.LOW,
                    "Whether node reports include the processors in use (RUNNING, BUSY); otherwise only whether a node"
                            + " is up.")
            .define(
                    NODE_FAILURE,
                    Type.STRING,
                    NodeFailureEffect.KEEP_JOBS.setting(),
                    in(NodeFailureEffect.KEEP_JOBS.setting(), NodeFailureEffect.END_JOBS.setting()),
                    Importance.MEDIUM,
                    "keep-jobs: a job with a failed node keeps running until the scheduler decides about it; end-jobs:"
                            + " the job fails with its node.");

    /**
     * Reads the settings, the workload and the script.
     *
     * @throws RmException if something is wrong with them
     */
    static SimulatedConfig read(Map<String, String> settings) {
        List<String> problems = new ArrayList<>();
        for (String key : settings.keySet()) {
            if (!DEFINITION.names().contains(key)) {
                problems.add("rm.simulated." + key + " is not a setting; there are " + DEFINITION.names());
            }
        }
        AbstractConfig config;
        try {
            config = new AbstractConfig(DEFINITION, settings, false);
        } catch (ConfigException e) {
            problems.add("rm.simulated: " + e.getMessage());
            throw new RmException(String.join("\n", problems), e);
        }
        if (!problems.isEmpty()) {
            throw new RmException(String.join("\n", problems));
        }
        ClusterShape shape = new ClusterShape(config.getInt(NODES), config.getInt(PROCS_PER_NODE));
        if ((long) shape.nodes() * shape.procsPerNode() > Integer.MAX_VALUE) {
            throw new RmException("rm.simulated: " + shape + " has more processors than can be counted");
        }
        Workload workload = workload(config, shape);
        return new SimulatedConfig(
                shape,
                workload,
                script(config.getString(SCRIPT), shape, workload),
                config.getString(CLOCK).equals(CLOCK_LOCK_STEP),
                config.getDouble(CLOCK_SCALE),
                config.getBoolean(LEDGER_FSYNC),
                config.getBoolean(REPORT_USAGE),
                NodeFailureEffect.of(config.getString(NODE_FAILURE)));
    }

    private static Workload workload(AbstractConfig config, ClusterShape shape) {
        String trace = config.getString(TRACE);
        if (trace.isEmpty()) {
            return new GeneratedWorkload(
                            config.getInt(GENERATED_JOBS),
                            config.getLong(GENERATED_SEED),
                            config.getDouble(GENERATED_LOAD),
                            config.getLong(GENERATED_LONGEST_RUN))
                    .on(shape.processors());
        }
        try {
            SwfTrace swf = SwfTrace.read(Path.of(trace), shape.processors());
            swf.problems().forEach(problem -> log.warn("trace={} {}", trace, problem));
            return Workload.of(swf, config.getInt(TRACE_FROM), config.getInt(TRACE_JOBS));
        } catch (IOException e) {
            throw new RmException("rm.simulated.trace: cannot read " + trace + ": " + e, e);
        }
    }

    private static FailureScript script(String file, ClusterShape shape, Workload workload) {
        if (file.isEmpty()) {
            return FailureScript.NONE;
        }
        long first = workload.jobs().isEmpty() ? 0 : workload.jobs().get(0).submit();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < shape.nodes(); i++) {
            names.add(shape.nodeName(i));
        }
        try {
            return new FailureScriptParser(first, names::contains).parse(TextFile.read(Path.of(file)));
        } catch (IOException e) {
            throw new RmException("rm.simulated.script: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new RmException("rm.simulated.script: " + file + ":\n" + e.getMessage(), e);
        }
    }

    /** Returns what a ledger recognises its run by. */
    String fingerprint() {
        return "nodes=" + shape.nodes() + " procs=" + shape.procsPerNode() + " jobs="
                + workload.jobs().size() + " base=" + workload.base() + " workload=" + workload.digest() + " script="
                + Integer.toHexString(script.text().hashCode());
    }
}
