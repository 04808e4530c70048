package io.weir.notifier;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.Feature;
import io.weir.notifier.runtime.NotifierService;
import io.weir.schemas.Charge;
import io.weir.schemas.DeliveryResult;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.HostedService;
import io.weir.standalone.KafkaEnvironment;
import io.weir.standalone.Standalone;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Charges on a broker, to a file and to a web service that is away for a while; the notifier is started anew meanwhile. */
class ChargePeersIT {
    private static final int CHARGES = 60;

    @TempDir
    private Path directory;

    private KafkaEnvironment environment;
    private HookReceiver hook;
    private NotifierTopics topics;
    private HostedService notifier;

    @BeforeEach
    void start() throws IOException {
        environment = KafkaEnvironment.start(new DataDirectory(directory.resolve("site")), 0, 0);
        hook = new HookReceiver();
        try (Admin admin = Admin.create(environment.connection(Account.ADMIN).kafka())) {
            Grants.of(new TopicNames(TopicNames.DEFAULT_PREFIX), "weir-scheduler", List.of())
                    .apply(admin);
        }
        Standalone.provision(environment.connection(Account.ADMIN).settings());
        topics = new NotifierTopics(environment.connection(Account.SCHEDULER), environment.connection(Account.READER));
        notifier = notifier();
    }

    @AfterEach
    void stop() {
        hook.close();
        notifier.close();
        topics.close();
        environment.close();
    }

    @Test
    @Feature({"CHG-8", "CHG-9"})
    void shouldBookEveryChargeOnceWithEachPeer() throws Exception {
        hook.answer(503);
        publish(0, CHARGES / 2);
        eventually(() ->
                assertThat(lines()).as("the file does not wait for the service").hasSize(CHARGES / 2));
        eventually(() -> assertThat(hook.keys()).isNotEmpty());
        notifier.close();
        publish(CHARGES / 2, CHARGES);
        notifier = notifier();
        eventually(() -> assertThat(lines()).hasSize(CHARGES));
        hook.answer(200);
        Set<String> ids = new TreeSet<>(IntStream.range(0, CHARGES)
                .mapToObj(i -> "tiny/job." + i + ".0")
                .toList());
        eventually(() -> assertThat(new TreeSet<>(hook.keys())).isEqualTo(ids));

        BigDecimal sum = lines().stream()
                .map(line -> new BigDecimal(line.replaceFirst(".* charge=(\\S+) .*", "$1")))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(sum).isEqualByComparingTo(topics.charged());
        assertThat(lines()).extracting(line -> line.split(" ", -1)[1]).doesNotHaveDuplicates();
        assertThat(topics.deadLetters()).isEmpty();
    }

    @Test
    @Feature("CHG-8")
    void shouldTellTheSchedulerWhatAPeerRefuses() throws Exception {
        hook.answer(422);
        publish(0, 1);

        eventually(() -> assertThat(topics.deadLetters()).hasSize(1));
        assertThat(topics.results())
                .extracting(DeliveryResult::getKind, DeliveryResult::getChannel, DeliveryResult::getDeliveryId)
                .containsExactly(org.assertj.core.api.Assertions.tuple("charge", "peer.meter", "job.0.0"));
    }

    private HostedService notifier() {
        Map<String, String> settings =
                new HashMap<>(environment.connection(Account.NOTIFIER).settings());
        settings.put("notifier.peers", "am,meter");
        settings.put("peer.am.type", "file");
        settings.put("peer.am.path", file().toString());
        settings.put("peer.meter.type", "http");
        settings.put("peer.meter.url", hook.url());
        settings.put("peer.meter.retry.first.ms", "200");
        settings.put("peer.meter.retry.longest.ms", "500");
        return HostedService.start(new NotifierService(), settings, () -> {});
    }

    private void publish(int from, int to) {
        for (int i = from; i < to; i++) {
            topics.publish(Charge.newBuilder()
                    .setCluster("tiny")
                    .setChargeId("job." + i + ".0")
                    .setIteration(1)
                    .setObjectType("job")
                    .setObjectId(Integer.toString(i))
                    .setAccount("jupiter")
                    .setStart(Instant.EPOCH)
                    .setEnd(Instant.EPOCH.plusSeconds(i))
                    .setReservedProcSeconds(0)
                    .setUsedProcSeconds(i)
                    .setProcessorSeconds(i)
                    .setAmountMillis(1_500L * i)
                    .setKind(i % 7 == 3 ? "refund" : "charge")
                    .setTime(Instant.EPOCH)
                    .build());
        }
    }

    private Path file() {
        return directory.resolve("charge.dat");
    }

    private List<String> lines() throws IOException {
        return Files.exists(file()) ? Files.readAllLines(file()) : List.of();
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(60, SECONDS).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
    }
}
