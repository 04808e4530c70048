package io.weir.standalone;

import io.weir.rm.simulated.SimulatedProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
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
    private static final int OUTAGES = 200;
    private static final int SECONDS_BETWEEN_OUTAGES = 7_200;

    /** The cluster that a launcher runs when it is told nothing. */
    public static final DemoCluster DEFAULT = new DemoCluster("demo", 16, 8, 20_000, 1.1, 300, 1);

    /** Returns the settings that make the services run it on {@code directory}. */
    public Map<String, String> settings(DataDirectory directory) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("cluster", name);
        settings.put("clusters", name);
        settings.put("clock", "rm");
        settings.put("topics.retention", "*=forever");
        settings.put("connector.poll.interval.ms", "250");
        settings.put("rm.type", SimulatedProvider.TYPE);
        settings.put("rm.simulated.clock", "scaled");
        settings.put("rm.simulated.clock.scale", Double.toString(scale));
        settings.put("rm.simulated.nodes", Integer.toString(nodes));
        settings.put("rm.simulated.procs.per.node", Integer.toString(procsPerNode));
        settings.put("rm.simulated.generated.jobs", Integer.toString(jobs));
        settings.put("rm.simulated.generated.load", Double.toString(load));
        settings.put("rm.simulated.generated.seed", Long.toString(seed));
        settings.put("rm.simulated.script", script(directory).toString());
        settings.put("notifier.channels", "file");
        settings.put("channel.file.type", "file");
        settings.put("channel.file.path", notices(directory).toString());
        return settings;
    }

    /** Writes the script by which nodes fail and come back: one every two hours of the cluster, for half an hour. */
    public void writeScript(DataDirectory directory) throws IOException {
        StringBuilder script =
                new StringBuilder("# Nodes that fail in the demo; see the simulated resource manager.\n");
        for (int outage = 1; outage <= OUTAGES; outage++) {
            int node = outage * 7 % nodes + 1;
            script.append(String.format(
                    Locale.ROOT, "AT +%d NODE n%04d DOWN FOR 1800%n", outage * SECONDS_BETWEEN_OUTAGES, node));
        }
        Files.createDirectories(directory.root());
        Files.writeString(script(directory), script.toString().replace("\r", ""));
    }

    private static Path script(DataDirectory directory) {
        return directory.root().resolve("demo-failures.txt");
    }

    /** The file to which notifications are appended. */
    public static Path notices(DataDirectory directory) {
        return directory.notifier().resolve("notifications.jsonl");
    }
}
