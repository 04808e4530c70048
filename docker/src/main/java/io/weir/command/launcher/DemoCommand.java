package io.weir.command.launcher;

import io.weir.command.client.DefaultDirectory;
import io.weir.command.format.TimeText;
import io.weir.command.terminal.ExitCode;
import io.weir.command.terminal.Positive;
import io.weir.command.terminal.Terminal;
import io.weir.scheduler.query.image.ClusterImage;
import io.weir.scheduler.query.image.ClusterImageFeed;
import io.weir.scheduler.query.view.QueueListing;
import io.weir.schemas.Iteration;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.DemoCluster;
import io.weir.standalone.Endpoints;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.access.Account;
import io.weir.standalone.broker.FreePorts;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir demo}: the launcher with a cluster to watch. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Demonstrates Weir in one process, on a simulated cluster with generated jobs.",
            "",
            "Kafka broker, schema registry, scheduler, notifier and connector run in it; nothing else is",
            "needed. The simulated clock runs faster than real time. All data is kept under --data; started",
            "again, the demo continues from there. Ctrl-C stops it."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int BROKER_PORT = 9092;
    private static final int REGISTRY_PORT = 8081;
    private static final long STATUS_MILLIS = 1_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--data", paramLabel = "DIR", description = "Data directory (default: ~/.weir/demo).")
    private @Nullable Path data;

    @Option(
            names = "--scale",
            converter = Positive.Factor.class,
            paramLabel = "S",
            defaultValue = "300",
            description = "Simulated seconds per real second (default: ${DEFAULT-VALUE}).")
    private double scale;

    @Option(
            names = "--nodes",
            converter = Positive.Count.class,
            paramLabel = "N",
            defaultValue = "16",
            description = "Number of nodes (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--procs-per-node",
            converter = Positive.Count.class,
            paramLabel = "P",
            defaultValue = "8",
            description = "Processors per node (default: ${DEFAULT-VALUE}).")
    private int procsPerNode;

    @Option(
            names = "--load",
            converter = Positive.Factor.class,
            paramLabel = "L",
            defaultValue = "1.1",
            description = "Load that the generated jobs offer, 1 being the whole cluster (default: ${DEFAULT-VALUE}).")
    private double load;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the generated jobs (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--seconds",
            converter = Positive.Amount.class,
            paramLabel = "T",
            description = "Stop after this many seconds (default: at Ctrl-C).")
    private @Nullable Long seconds;

    @Override
    public Integer call() throws IOException, InterruptedException {
        DataDirectory directory = new DataDirectory(data == null ? DefaultDirectory.demo() : data);
        directory.prepare();
        LogFiles.open(directory.logs(), "demo");
        DemoCluster cluster =
                new DemoCluster("demo", nodes, procsPerNode, DemoCluster.DEFAULT.jobs(), load, scale, seed);
        cluster.writeScript(directory);
        StandaloneConfig config = new StandaloneConfig(
                directory,
                FreePorts.prefer(BROKER_PORT),
                FreePorts.prefer(REGISTRY_PORT),
                Map.of(),
                cluster.settings(directory));
        Terminal terminal = Terminal.ofProcess();
        PrintWriter out = spec.commandLine().getOut();
        out.println("Starting broker, schema registry, scheduler, connector and notifier …");
        out.flush();
        long began = System.nanoTime();
        try (Standalone standalone = Standalone.start(config, config.components())) {
            StopOnSignal.install(standalone);
            out.printf(Locale.ROOT, "Running after %.1f s.%n%n", (System.nanoTime() - began) / 1e9);
            introduce(directory, standalone.endpoints());
            watch(standalone, terminal);
            terminal.clear();
            if (!standalone.isHealthy()) {
                spec.commandLine().getErr().println("weir: a service failed; see " + directory.logs());
            }
            return standalone.isHealthy() ? ExitCode.FINE : ExitCode.FAILED;
        }
    }

    private void introduce(DataDirectory directory, Endpoints endpoints) {
        PrintWriter out = spec.commandLine().getOut();
        String here = System.getProperty("weir.command", "weir");
        String at = directory.root().equals(DefaultDirectory.demo()) ? "" : " --data " + directory.root();
        out.printf(
                Locale.ROOT,
                "A cluster of %d nodes with %d processors each, simulated %.0f times as fast as real time.%n%n",
                nodes,
                procsPerNode,
                scale);
        out.println("Where to look next, from another terminal:");
        hint("the queue", here + " showq" + at);
        hint("why a job waits", here + " checkjob JOB" + at);
        hint("who has what until when", here + " showres" + at);
        hint("the topics", here + " topics");
        hint("any Kafka client", endpoints.bootstrapServers() + ", schemas from " + endpoints.registryUrl());
        hint("  Java, Confluent", "--consumer.config " + directory.javaClient(Account.READER));
        hint("  kcat, librdkafka", "kcat -F " + directory.librdkafkaClient(Account.READER) + " -L");
        hint("notifications", DemoCluster.notices(directory).toString());
        hint("logs", directory.logs().toString());
        out.println("Afterwards:");
        hint("is all of it derived?", here + " replay --verify --data " + directory.root());
        out.println();
        out.flush();
    }

    private void hint(String what, String where) {
        spec.commandLine().getOut().printf("  %-22s %s%n", what, where);
    }

    private void watch(Standalone standalone, Terminal terminal) throws InterruptedException {
        long end = seconds == null ? Long.MAX_VALUE : System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        Connection connection = standalone.connection(Account.READER);
        TopicNames names = new TopicNames(TopicNames.DEFAULT_PREFIX);
        try (AvroCodec codec = new AvroCodec(names, connection.registry());
                ClusterImageFeed feed = new ClusterImageFeed(connection.kafka(), names, codec)) {
            while (!standalone.awaitStopRequest(STATUS_MILLIS) && System.nanoTime() < end) {
                if (terminal.isInteractive()) {
                    terminal.status(status(feed.catchUp()));
                }
            }
        } catch (KafkaException e) {
            // On Ctrl-C the broker goes while this thread still reads from it.
            standalone.awaitStopRequest();
        }
    }

    private static String status(ClusterImage image) {
        for (String cluster : image.clusters()) {
            Iteration last = image.iterations().get(cluster);
            Instant now = image.now(cluster).orElse(Instant.EPOCH);
            QueueListing queue = QueueListing.of(image, cluster, now);
            return String.format(
                    Locale.ROOT,
                    "%s  %s | %d of %d processors busy (%d %%) | %d jobs running, %d waiting | iteration %d",
                    cluster,
                    TimeText.time(now),
                    queue.procsInUse(),
                    queue.procs(),
                    queue.procs() == 0 ? 0 : 100 * queue.procsInUse() / queue.procs(),
                    queue.active().size(),
                    queue.eligible().size() + queue.blocked().size(),
                    last == null ? 0 : last.getNumber());
        }
        return "waiting for the first iteration …";
    }
}
