package io.weir.standalone.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.nonstop.client.FailureServiceException;
import io.weir.nonstop.client.NonstopClient;
import io.weir.rm.simulated.LedgerReport;
import io.weir.standalone.Component;
import io.weir.standalone.KafkaAccess;
import io.weir.standalone.access.Account;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
 * -Dweir.nonstop.seed plays a drill again, -Dweir.nonstop.spacing=90 and -Dweir.nonstop.patience=300 give a busy
 * machine time.
 */
@NullUnmarked
class NonstopDrillIT {
    private static final int KILLS = Integer.getInteger("weir.nonstop.kills", 3);

    /** Seconds of the cluster between two failures: by then a killed process is back and the node replaced. */
    private static final int SPACING = Integer.getInteger("weir.nonstop.spacing", 40);

    private static final int FIRST_FAILURE = SPACING + 5;

    /** Longest time from a failure to a kill. */
    private static final int LONGEST_DELAY_MILLIS = 1_500;

    private static final Duration PATIENCE = NonstopDrillSite.PATIENCE;

    @TempDir
    Path root;

    private NonstopDrillSite site;

    @AfterEach
    void stop() {
        site.close();
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
        site = prepare();
        NonstopClient client = site.client();
        site.start(Component.BROKER);
        site.start(Component.SCHEDULER);
        site.start(Component.CONNECTOR);
        awaitJob(client);
        List<String> expected = new ArrayList<>();
        for (int failure = 1; failure <= KILLS; failure++) {
            String node = node(failure + 1);
            site.awaitChange(node);
            CompletableFuture<String> replacement = CompletableFuture.supplyAsync(() -> replace(client, node));
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_DELAY_MILLIS));
            System.out.println("nonstop drill: kill " + failure + ", replaced before: " + replacement.isDone());
            site.kill(victim);
            site.start(victim);
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
        assertThat(LedgerReport.read(site.ledger()).problems())
                .as("seed %d", seed)
                .isEmpty();
        site.stop(Component.CONNECTOR);
        site.stop(Component.SCHEDULER);
        try (KafkaAccess access = KafkaAccess.open(site.directory(), Account.READER)) {
            assertThat(TopicsAudit.problems(access.connection(), new TopicNames(TopicNames.DEFAULT_PREFIX)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    private static String node(int number) {
        return NonstopDrillSite.node(number);
    }

    /** One job on two nodes; the second fails, and then each that takes its place. */
    private NonstopDrillSite prepare() throws IOException {
        StringBuilder failures = new StringBuilder();
        for (int failure = 1; failure <= KILLS; failure++) {
            failures.append("AT +").append(FIRST_FAILURE + (failure - 1) * SPACING);
            failures.append(" NODE ").append(node(failure + 1)).append(" DOWN\n");
        }
        return new NonstopDrillSite(root, KILLS + 4, 2, failures.toString(), List.of(), List.of());
    }

    /** Waits until the job runs on the nodes that are to fail, none of which has failed by then. */
    private void awaitJob(NonstopClient client) throws IOException {
        await("job 1").atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(() -> runs(client));
        assertThat(Files.readString(site.ledger()))
                .as("nodes fail before the job runs: a larger -Dweir.nonstop.spacing is needed here")
                .doesNotContain("\tNODE\t" + node(2) + "\t");
    }

    private static boolean runs(NonstopClient client) {
        try {
            return client.failures("1").nodes().contains(node(2));
        } catch (FailureServiceException e) {
            return false;
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

    /** Returns the node of each change of that kind, in order. */
    private List<String> effects(String effect) throws IOException {
        return Files.readAllLines(site.ledger()).stream()
                .map(line -> line.split("\t", -1))
                .filter(fields -> fields[1].equals(effect))
                .map(fields -> fields[5].replaceAll(".*?(n\\d{4}).*", "$1"))
                .toList();
    }
}
