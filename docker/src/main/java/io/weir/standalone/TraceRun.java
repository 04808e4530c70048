package io.weir.standalone;

import io.weir.rm.runtime.RunnerListener;
import io.weir.rm.simulated.LedgerReport;
import io.weir.rm.simulated.SimulatedProvider;
import io.weir.topics.TopicNames;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A workload trace through the whole of Weir in virtual time: every fact and command goes through Kafka, in lock step.
 * What happened is read off the simulated resource manager's own record. A run that was interrupted goes on when it is
 * started again on the same directory.
 *
 * @param trace the trace file
 * @param nodes nodes of the machine
 * @param procsPerNode processors of each
 * @param from first usable job, counted from 0
 * @param count how many usable jobs
 * @param policy site configuration in Moab syntax; empty for the defaults
 */
public record TraceRun(Path trace, int nodes, int procsPerNode, int from, int count, String policy) {
    /** Name of the cluster that stands for the trace's machine. */
    public static final String CLUSTER = "trace";

    /** Returns the settings that make the services run it. */
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("cluster", CLUSTER);
        settings.put("clusters", CLUSTER);
        settings.put("clock", "rm");
        // Record times are the trace's: by this machine's clock they all expired long ago.
        settings.put("topics.retention", "*=forever");
        settings.put("rm.type", SimulatedProvider.TYPE);
        settings.put("rm.simulated.clock", "lock-step");
        settings.put("rm.simulated.nodes", Integer.toString(nodes));
        settings.put("rm.simulated.procs.per.node", Integer.toString(procsPerNode));
        settings.put("rm.simulated.trace", trace.toAbsolutePath().toString());
        settings.put("rm.simulated.trace.from", Integer.toString(from));
        settings.put("rm.simulated.trace.jobs", Integer.toString(count));
        // A kill loses nothing without it; only a power failure would.
        settings.put("rm.simulated.ledger.fsync", "false");
        return settings;
    }

    /** Starts it in this JVM on {@code directory}: the launcher asks for its own stop when the last job has ended. */
    public Standalone start(DataDirectory directory, RunnerListener listener) {
        return start(directory, Map.of(), listener);
    }

    /** Starts it with {@code more} settings of the services laid over its own. */
    public Standalone start(DataDirectory directory, Map<String, String> more, RunnerListener listener) {
        Map<String, String> chosen = settings();
        chosen.putAll(more);
        StandaloneConfig config = new StandaloneConfig(directory, 0, 0, Map.of(), chosen);
        return Standalone.start(
                config,
                EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.CONNECTOR),
                listener,
                this::publishPolicy);
    }

    /** Publishes the policy, if there is one, on the topics behind {@code connection}. */
    public void publishPolicy(Connection connection) {
        if (!policy.isBlank()) {
            new PolicyPublisher(connection, new TopicNames(TopicNames.DEFAULT_PREFIX))
                    .publish(CLUSTER, policy, "weir run-trace");
        }
    }

    /** Returns what really happened on {@code directory}, by the resource manager's own record. */
    public static LedgerReport report(DataDirectory directory) {
        return LedgerReport.read(directory.connector().resolve(SimulatedProvider.LEDGER_FILE));
    }
}
