package io.weir.notifier;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.notifier.runtime.NotifierService;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.HostedService;
import io.weir.standalone.KafkaEnvironment;
import io.weir.standalone.Standalone;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The notifier on a real broker and registry, with a file and a real HTTP server at the other end. */
class NotifierIT {

    @TempDir
    private Path directory;

    private KafkaEnvironment environment;
    private HookReceiver hook;
    private final List<HostedService> running = new ArrayList<>();

    /** Opened once the topics are there. */
    private NotifierTopics topics;

    @BeforeEach
    void start() throws IOException {
        environment = KafkaEnvironment.start(new DataDirectory(directory), 0, 0);
        hook = new HookReceiver();
        try (Admin admin = Admin.create(environment.connection(Account.ADMIN).kafka())) {
            Grants.of(new TopicNames(TopicNames.DEFAULT_PREFIX), "weir-scheduler", List.of())
                    .apply(admin);
        }
        Standalone.provision(environment.connection(Account.ADMIN).settings());
        topics = new NotifierTopics(environment.connection(Account.SCHEDULER), environment.connection(Account.READER));
    }

    @AfterEach
    void stop() {
        hook.close();
        running.forEach(HostedService::close);
        topics.close();
        environment.close();
    }

    @Test
    void shouldDeliverEachCommittedNotificationOnceToEveryChannel() throws Exception {
        HostedService notifier = startNotifier(Map.of());
        publish(0, 10);
        topics.publishAndAbort("tiny/aborted");
        publish(10, 20);

        eventually(() -> assertThat(topics.results()).hasSize(40));

        assertThat(fileIds()).containsExactlyElementsOf(ids(0, 20));
        assertThat(hook.keys()).containsExactlyElementsOf(ids(0, 20));
        assertThat(delivered("ops")).containsExactlyElementsOf(ids(0, 20));
        assertThat(delivered("pager")).containsExactlyElementsOf(ids(0, 20));
        assertThat(topics.deadLetters()).isEmpty();
        assertThat(get(notifier.healthUrl() + "/health/ready")).contains("\"status\":\"UP\"");
        assertThat(get(notifier.healthUrl() + "/metrics"))
                .contains("weir_notifier_settled_total{channel=\"ops\",outcome=\"delivered\"");
    }

    @Test
    void shouldGoOnAfterARestartWhereItStopped() throws Exception {
        HostedService first = startNotifier(Map.of());
        publish(0, 10);
        eventually(() -> assertThat(topics.results()).hasSize(20));
        first.close();
        assertThat(first.exitCode()).isZero();
        publish(10, 20);

        startNotifier(Map.of());
        eventually(() -> assertThat(topics.results()).hasSize(40));

        assertThat(fileIds()).containsExactlyElementsOf(ids(0, 20));
        assertThat(hook.keys()).containsExactlyElementsOf(ids(0, 20));
    }

    @Test
    void shouldSendNothingAgainWhenTheBrokerHasForgottenItsPositions() throws Exception {
        HostedService first = startNotifier(Map.of());
        topics.publishPoison(new byte[] {9});
        publish(0, 10);
        eventually(() -> assertThat(topics.results()).hasSize(20));
        eventually(() -> assertThat(topics.deadLetters()).hasSize(1));
        first.close();
        topics.forgetPositions(environment.connection(Account.ADMIN));
        publish(10, 20);

        startNotifier(Map.of());
        eventually(() -> assertThat(topics.results()).hasSize(40));

        assertThat(fileIds()).containsExactlyElementsOf(ids(0, 20));
        assertThat(hook.keys()).containsExactlyElementsOf(ids(0, 20));
        assertThat(topics.deadLetters()).hasSize(1);
    }

    @Test
    void shouldSendNothingAgainWhenSomebodySetsItsPositionsBack() throws Exception {
        HostedService first = startNotifier(Map.of());
        publish(0, 10);
        eventually(() -> assertThat(topics.results()).hasSize(20));
        first.close();
        topics.setPosition(environment.connection(Account.ADMIN), "ops", 0);
        topics.setPosition(environment.connection(Account.ADMIN), "pager", 0);

        startNotifier(Map.of());
        publish(10, 20);
        eventually(() -> assertThat(delivered("ops")).containsExactlyElementsOf(ids(0, 20)));
        eventually(() -> assertThat(delivered("pager")).containsExactlyElementsOf(ids(0, 20)));

        assertThat(hook.keys()).containsExactlyElementsOf(ids(0, 20));
    }

    @Test
    void shouldSendNothingAgainWhenBrokersLostTheEndOfTheNotifications() throws Exception {
        HostedService first = startNotifier(Map.of());
        publish(0, 10);
        eventually(() -> assertThat(topics.results()).hasSize(20));
        first.close();
        topics.loseNotifications(environment.connection(Account.ADMIN), "ops");
        publish(0, 7);

        startNotifier(Map.of());
        publish(10, 12);
        eventually(() -> assertThat(topics.results()).hasSize(24));

        assertThat(fileIds()).containsExactlyElementsOf(ids(0, 12));
        assertThat(hook.keys()).containsExactlyElementsOf(ids(0, 12));
    }

    @Test
    void shouldNotLetAFailingChannelHoldUpAnother() {
        hook.answer(503);
        startNotifier(Map.of("channel.pager.retry.attempts", "3", "channel.pager.retry.first.ms", "300"));
        publish(0, 3);

        eventually(() -> assertThat(delivered("ops")).containsExactlyElementsOf(ids(0, 3)));
        eventually(() -> assertThat(topics.deadLetters()).hasSize(3));

        assertThat(topics.deadLetters()).extracting(DeadLetter::getCause).containsOnly("UNDELIVERED");
        assertThat(topics.results())
                .filteredOn(result -> result.getChannel().equals("pager"))
                .allMatch(result -> result.getOutcome() == DeliveryOutcome.DEAD && result.getAttempts() == 3)
                .hasSize(3);
        assertThat(hook.keys()).hasSize(9);
    }

    @Test
    void shouldMakeOneDeadLetterOfPoisonAndGoOn() {
        startNotifier(Map.of());
        topics.publishPoison(new byte[] {0, 0, 0, 3, 99, 7});
        topics.publishPoison("not avro".getBytes(StandardCharsets.UTF_8));
        topics.publishPoison(null);
        publish(0, 2);

        eventually(() -> {
            assertThat(topics.results()).hasSize(4);
            assertThat(topics.deadLetters()).hasSize(3);
        });

        assertThat(topics.deadLetters()).extracting(DeadLetter::getCause).containsOnly("UNDECODABLE");
        assertThat(topics.deadLetters()).extracting(DeadLetter::getTopic).containsOnly("notifications");
    }

    @Test
    void shouldRouteByEvent() {
        startNotifier(Map.of(
                "notifier.routes", "all,nodes",
                "route.all.channels", "ops",
                "route.nodes.channels", "pager",
                "route.nodes.events", "node*"));
        topics.publish("tiny/1/0", "rmdown");
        topics.publish("tiny/1/1", "nodedown");

        eventually(() -> assertThat(topics.results()).hasSize(3));

        assertThat(delivered("ops")).containsExactly("tiny/1/0", "tiny/1/1");
        assertThat(delivered("pager")).containsExactly("tiny/1/1");
    }

    @Test
    void shouldNotLetAReplacedProcessRecordAnything() {
        hook.hold();
        HostedService zombie = startNotifier(Map.of());
        publish(0, 1);
        eventually(() -> assertThat(hook.keys()).hasSize(1));

        startNotifier(Map.of());
        eventually(
                () -> assertThat(hook.keys()).as("the successor has taken over").hasSize(2));
        hook.release();

        eventually(() -> assertThat(zombie.isAlive()).isFalse());
        eventually(() -> assertThat(delivered("pager")).containsExactly("tiny/1/0"));
        assertThat(new HashSet<>(hook.keys())).as("with one and the same key").hasSize(1);
    }

    private HostedService startNotifier(Map<String, String> more) {
        Map<String, String> settings = settings();
        settings.putAll(more);
        HostedService notifier = HostedService.start(new NotifierService(), settings, () -> {});
        running.add(notifier);
        return notifier;
    }

    private Map<String, String> settings() {
        Map<String, String> settings =
                new HashMap<>(environment.connection(Account.NOTIFIER).settings());
        settings.put("notifier.channels", "ops,pager");
        settings.put("channel.ops.type", "file");
        settings.put("channel.ops.path", file().toString());
        settings.put("channel.pager.type", "webhook");
        settings.put("channel.pager.url", hook.url());
        return settings;
    }

    private void publish(int from, int to) {
        ids(from, to).forEach(id -> topics.publish(id, "nodedown"));
    }

    private static List<String> ids(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "tiny/1/" + i).toList();
    }

    private List<String> delivered(String channel) {
        return topics.results().stream()
                .filter(result -> result.getChannel().equals(channel))
                .filter(result -> result.getOutcome() == DeliveryOutcome.DELIVERED)
                .map(DeliveryResult::getDeliveryId)
                .toList();
    }

    private List<String> fileIds() throws IOException {
        return Files.readAllLines(file()).stream()
                .map(line -> line.replaceFirst("^\\{\"id\":\"([^\"]*)\".*", "$1"))
                .toList();
    }

    private Path file() {
        return directory.resolve("notices.jsonl");
    }

    private static String get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(60, SECONDS).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
    }
}
