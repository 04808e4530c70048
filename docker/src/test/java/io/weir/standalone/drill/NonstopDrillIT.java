package io.weir.standalone.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.NonstopClient;
import io.weir.nonstop.client.ServiceAddress;
import io.weir.rm.simulated.LedgerReport;
import io.weir.rm.simulated.SimulatedProvider;
import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.KafkaAccess;
import io.weir.standalone.access.Account;
import io.weir.standalone.broker.FreePorts;
import io.weir.topics.TopicNames;
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
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the scheduler, or the connector, somewhere between the failure of a node and the end of its replacement, again and
 * again: by the resource manager's own record each failed node is replaced once. -Dweir.nonstop.kills=20 makes it long,
 * -Dweir.nonstop.seed plays a drill again.
 */
@NullUnmarked
class NonstopDrillIT {
    private static final int KILLS = Integer.getInteger("weir.nonstop.kills", 3);
    private static final int HEAP_MB = 384;

    /** Seconds of the cluster between two failures: by then a killed process is back and the node replaced. */
    private static final int SPACING = 40;

    private static final int FIRST_FAILURE = 45;

    /** Longest time from a failure to a kill. */
    private static final int LONGEST_DELAY_MILLIS = 1_500;

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String TOKEN = "0123456789abcdef01234567";

    @TempDir
    Path root;

    private final Map<Component, ComponentProcess> running = new EnumMap<>(Component.class);
    private List<String> arguments;
    private DataDirectory directory;

    @AfterEach
    void stop() {
        running.values().forEach(ComponentProcess::kill);
    }

    @Test
    void shouldReplaceOnceHoweverOftenTheSchedulerIsKilled() throws Exception {
        drill(Component.SCHEDULER);
    }

    @Test
    void shouldReplaceOnceHoweverOftenTheConnectorIsKilled() throws Exception {
        drill(Component.CONNECTOR);
    }

    private void drill(Component victim) throws Exception {
        long seed = Long.getLong("weir.nonstop.seed", new Random().nextInt(1_000_000));
        System.out.println("nonstop drill: -Dweir.nonstop.seed=" + seed + " " + victim);
        Random random = new Random(seed);
        NonstopClient client = prepare();
        start(Component.BROKER);
        start(Component.SCHEDULER);
        start(Component.CONNECTOR);
        List<String> expected = new ArrayList<>();
        for (int failure = 1; failure <= KILLS; failure++) {
            String node = node(failure + 1);
            awaitEntry("\tNODE\t" + node + "\t");
            CompletableFuture<String> replacement = CompletableFuture.supplyAsync(() -> replace(client, node));
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_DELAY_MILLIS));
            System.out.println("nonstop drill: kill " + failure + ", replaced before: " + replacement.isDone());
            running.get(victim).kill();
            start(victim);
            expected.add(node + " " + replacement.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }

        List<String> grown = effects("GROW");
        List<String> shrunk = effects("SHRINK");
        List<String> recorded = new ArrayList<>();
        for (int i = 0; i < Math.min(grown.size(), shrunk.size()); i++) {
            recorded.add(shrunk.get(i) + " " + grown.get(i));
        }
        assertThat(recorded).as("seed %d", seed).isEqualTo(expected);
        assertThat(grown).as("seed %d", seed).hasSize(KILLS);
        assertThat(shrunk).as("seed %d", seed).hasSize(KILLS);
        assertThat(LedgerReport.read(ledger()).problems()).as("seed %d", seed).isEmpty();
        running.get(Component.CONNECTOR).stop();
        running.get(Component.SCHEDULER).stop();
        try (KafkaAccess access = KafkaAccess.open(directory, Account.READER)) {
            assertThat(TopicsAudit.problems(access.connection(), new TopicNames(TopicNames.DEFAULT_PREFIX)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    private static String node(int number) {
        return String.format(Locale.ROOT, "n%04d", number);
    }

    /** One job on two nodes; the second fails, and then each that takes its place. */
    private NonstopClient prepare() throws IOException {
        directory = new DataDirectory(root.resolve("data"));
        directory.prepare();
        Files.writeString(directory.tokens(), "root " + TOKEN.toUpperCase(Locale.ROOT) + " 1\nu1 " + TOKEN + " user\n");
        StringBuilder failures = new StringBuilder();
        for (int failure = 1; failure <= KILLS; failure++) {
            failures.append("AT +").append(FIRST_FAILURE + (failure - 1) * SPACING);
            failures.append(" NODE ").append(node(failure + 1)).append(" DOWN\n");
        }
        Files.writeString(root.resolve("failures.txt"), failures.toString());
        Files.writeString(
                root.resolve("jobs.swf"),
                "; UnixStartTime: 1700000000\n1 0 -1 360000 2 -1 -1 2 360000 -1 1 1 1 -1 -1 -1 -1 -1\n");
        int[] ports = FreePorts.any(3);
        Files.writeString(
                root.resolve("nonstop.conf"), "ControlAddr=127.0.0.1\nPort=" + ports[2] + "\nReadTimeout=5000\n");
        Files.writeString(
                root.resolve("weir.cfg"),
                "NODEALLOCATIONPOLICY FIRSTAVAILABLE\nNODEALLOCRESFAILUREPOLICY IGNORE\nFAILURESERVICE nonstop\n");
        Files.writeString(
                root.resolve("settings"),
                String.join(
                        "\n",
                        "cluster=site",
                        "clusters=site",
                        "clock=rm",
                        "nonstop.host=127.0.0.1",
                        "topics.retention=*=forever",
                        "connector.poll.interval.ms=250",
                        "rm.type=" + SimulatedProvider.TYPE,
                        "rm.simulated.clock=scaled",
                        "rm.simulated.clock.scale=1",
                        "rm.simulated.nodes=" + (KILLS + 4),
                        "rm.simulated.procs.per.node=1",
                        "rm.simulated.trace=" + root.resolve("jobs.swf"),
                        "rm.simulated.script=" + root.resolve("failures.txt"),
                        ""));
        arguments = List.of(
                "--data",
                directory.root().toString(),
                "--port",
                Integer.toString(ports[0]),
                "--registry-port",
                Integer.toString(ports[1]),
                "--settings",
                root.resolve("settings").toString());
        return new NonstopClient(ServiceAddress.read(root.resolve("nonstop.conf")), Optional.of(TOKEN));
    }

    private void start(Component component) {
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

    /** Asks for a replacement until one is there, as the script of a job does. */
    private static String replace(NonstopClient client, String node) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return client.replace("1", node).replacement();
            } catch (FailureServiceException e) {
                if (System.nanoTime() > end) {
                    throw new AssertionError(e);
                }
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private Path ledger() {
        return directory.connector().resolve(SimulatedProvider.LEDGER_FILE);
    }

    private void awaitEntry(String part) {
        await(part)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() ->
                        Files.exists(ledger()) && Files.readString(ledger()).contains(part));
    }

    /** Returns the node of each change of that kind, in order. */
    private List<String> effects(String effect) throws IOException {
        return Files.readAllLines(ledger()).stream()
                .map(line -> line.split("\t", -1))
                .filter(fields -> fields[1].equals(effect))
                .map(fields -> fields[5].replaceAll(".*?(n\\d{4}).*", "$1"))
                .toList();
    }
}
