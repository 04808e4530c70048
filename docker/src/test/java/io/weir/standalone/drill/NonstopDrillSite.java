package io.weir.standalone.drill;

import static org.awaitility.Awaitility.await;

import io.weir.nonstop.client.NonstopClient;
import io.weir.nonstop.client.ServiceAddress;
import io.weir.rm.simulated.SimulatedProvider;
import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.broker.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;

/** A site with the failure service whose processes can be killed one by one: one job, and nodes that fail by a script. */
@NullUnmarked
final class NonstopDrillSite implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(Integer.getInteger("weir.nonstop.patience", 120));
    private static final int HEAP_MB = 384;
    private static final String TOKEN = "0123456789abcdef01234567";

    private final Path root;
    private final DataDirectory directory;
    private final List<String> arguments;
    private final Map<Component, ComponentProcess> running = new EnumMap<>(Component.class);

    /**
     * Prepares it; nothing runs yet.
     *
     * @param root an empty directory
     * @param nodes nodes of the cluster, a processor each
     * @param width how many of them job 1 of user u1 takes, the first ones, for longer than any drill
     * @param failures when which nodes go down
     * @param conf lines of nonstop.conf beside address and port
     * @param settings lines of the settings beside those of the cluster
     */
    NonstopDrillSite(Path root, int nodes, int width, String failures, List<String> conf, List<String> settings)
            throws IOException {
        this.root = root;
        directory = new DataDirectory(root.resolve("data"));
        directory.prepare();
        Files.writeString(directory.tokens(), "root " + TOKEN.toUpperCase(Locale.ROOT) + " 1\nu1 " + TOKEN + " user\n");
        Files.writeString(root.resolve("failures.txt"), failures);
        Files.writeString(
                root.resolve("jobs.swf"),
                String.format(
                        Locale.ROOT,
                        "; UnixStartTime: 1700000000%n1 0 -1 360000 %1$d -1 -1 %1$d 360000 -1 1 1 1 -1 -1 -1 -1 -1%n",
                        width));
        int[] ports = FreePorts.any(3);
        Files.writeString(
                root.resolve("nonstop.conf"),
                "ControlAddr=127.0.0.1\nPort=" + ports[2] + "\nReadTimeout=5000\n" + String.join("\n", conf) + "\n");
        Files.writeString(
                root.resolve("weir.cfg"),
                "NODEALLOCATIONPOLICY FIRSTAVAILABLE\nNODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\n");
        List<String> all = new ArrayList<>(List.of(
                "cluster=site",
                "clusters=site",
                "clock=rm",
                "nonstop.host=127.0.0.1",
                "topics.retention=*=forever",
                "connector.poll.interval.ms=250",
                "rm.type=" + SimulatedProvider.TYPE,
                "rm.simulated.clock=scaled",
                "rm.simulated.clock.scale=1",
                "rm.simulated.nodes=" + nodes,
                "rm.simulated.procs.per.node=1",
                "rm.simulated.trace=" + root.resolve("jobs.swf"),
                "rm.simulated.script=" + root.resolve("failures.txt")));
        all.addAll(settings);
        Files.writeString(root.resolve("settings"), String.join("\n", all) + "\n");
        arguments = List.of(
                "--data",
                directory.root().toString(),
                "--port",
                Integer.toString(ports[0]),
                "--registry-port",
                Integer.toString(ports[1]),
                "--settings",
                root.resolve("settings").toString());
    }

    static String node(int number) {
        return String.format(Locale.ROOT, "n%04d", number);
    }

    DataDirectory directory() {
        return directory;
    }

    /** Returns a client in the name of the job's owner. */
    NonstopClient client() throws IOException {
        return new NonstopClient(ServiceAddress.read(root.resolve("nonstop.conf")), Optional.of(TOKEN));
    }

    void start(Component component) {
        List<String> all = new ArrayList<>(arguments);
        if (component == Component.BROKER) {
            all.addAll(List.of("--policy", root.resolve("weir.cfg").toString()));
        }
        running.put(
                component,
                ComponentProcess.start(
                        component, HEAP_MB, all, root.resolve(component.name().toLowerCase(Locale.ROOT) + ".out")));
        if (component == Component.BROKER) {
            await("the broker")
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(directory.endpoints())
                            && running.get(component).isAlive());
        }
    }

    void kill(Component component) {
        running.get(component).kill();
    }

    void stop(Component component) {
        running.get(component).stop();
    }

    /** Returns the resource manager's own record. */
    Path ledger() {
        return directory.connector().resolve(SimulatedProvider.LEDGER_FILE);
    }

    /** Waits until the resource manager has recorded that a node changed its state. */
    void awaitChange(String node) {
        String part = "\tNODE\t" + node + "\t";
        await(part)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() ->
                        Files.exists(ledger()) && Files.readString(ledger()).contains(part));
    }

    @Override
    public void close() {
        running.values().forEach(ComponentProcess::kill);
    }
}
