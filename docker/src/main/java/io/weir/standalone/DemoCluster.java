package io.weir.standalone;

import io.weir.rm.simulated.SimulatedProvider;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of a cluster to play with: generated jobs on a simulated machine whose clock runs faster than ours, and
 * notifications appended to a file.
 *
 * @param name name of the cluster
 * @param nodes nodes
 * @param procsPerNode processors of each
 * @param jobs how many jobs are submitted in the end
 * @param load share of the machine they would use if none had to wait
 * @param scale simulated seconds per second
 * @param seed decides the workload
 */
public record DemoCluster(String name, int nodes, int procsPerNode, int jobs, double load, double scale, long seed) {
    /** The cluster that a launcher runs when it is told nothing. */
    public static final DemoCluster DEFAULT = new DemoCluster("demo", 32, 16, 20_000, 0.95, 120, 1);

    /** Returns the settings that make the services run it on {@code directory}. */
    public Map<String, String> settings(DataDirectory directory) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("cluster", name);
        settings.put("clusters", name);
        settings.put("clock", "rm");
        settings.put("topics.retention", "*=forever");
        settings.put("poll.interval.ms", "250");
        settings.put("rm.type", SimulatedProvider.TYPE);
        settings.put("rm.simulated.clock", "scaled");
        settings.put("rm.simulated.clock.scale", Double.toString(scale));
        settings.put("rm.simulated.nodes", Integer.toString(nodes));
        settings.put("rm.simulated.procs.per.node", Integer.toString(procsPerNode));
        settings.put("rm.simulated.generated.jobs", Integer.toString(jobs));
        settings.put("rm.simulated.generated.load", Double.toString(load));
        settings.put("rm.simulated.generated.seed", Long.toString(seed));
        settings.put("notifier.channels", "file");
        settings.put("channel.file.type", "file");
        settings.put("channel.file.path", notices(directory).toString());
        return settings;
    }

    /** The file to which notifications are appended. */
    public static Path notices(DataDirectory directory) {
        return directory.notifier().resolve("notifications.jsonl");
    }
}
