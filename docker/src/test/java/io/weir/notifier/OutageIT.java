package io.weir.notifier;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.notifier.runtime.NotifierService;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.Endpoints;
import io.weir.standalone.HostedService;
import io.weir.standalone.KafkaEnvironment;
import io.weir.standalone.Standalone;
import io.weir.standalone.access.Account;
import io.weir.standalone.access.Grants;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.MemberDescription;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Two channels are down for an hour of the notifier's clock, a third is not; what expired is sent again afterwards. */
class OutageIT {
    private static final int MINUTES = 60;
    private static final Instant BEGIN = Instant.parse("2026-03-01T10:00:00Z");

    @TempDir
    private Path directory;

    private KafkaEnvironment environment;
    private final Map<String, HookReceiver> hooks = new TreeMap<>();
    private NotifierTopics topics;
    private HostedService notifier;
    private final SteppedClock clock = new SteppedClock(BEGIN);

    @BeforeEach
    void start() throws IOException {
        environment = KafkaEnvironment.start(new DataDirectory(directory.resolve("site")), 0, 0);
        try (Admin admin = Admin.create(environment.connection(Account.ADMIN).kafka())) {
            Grants.of(new TopicNames(TopicNames.DEFAULT_PREFIX), "weir-scheduler", List.of())
                    .apply(admin);
        }
        Standalone.provision(environment.connection(Account.ADMIN).settings());
        topics = new NotifierTopics(environment.connection(Account.SCHEDULER), environment.connection(Account.READER));
        Map<String, String> settings =
                new HashMap<>(environment.connection(Account.NOTIFIER).settings());
        settings.put("kafka.session.timeout.ms", "6000");
        settings.put("notifier.channels", "ops,pager,wall");
        settings.put("channel.ops.type", "file");
        settings.put("channel.ops.path", file().toString());
        for (String channel : List.of("pager", "wall")) {
            HookReceiver hook = new HookReceiver();
            hooks.put(channel, hook);
            settings.put("channel." + channel + ".type", "webhook");
            settings.put("channel." + channel + ".url", hook.url());
        }
        notifier = HostedService.start(new NotifierService(clock), settings, () -> {});
    }

    @AfterEach
    void stop() {
        hooks.values().forEach(HookReceiver::close);
        notifier.close();
        topics.close();
        environment.close();
    }

    @Test
    void shouldDelayNoOtherChannelAndSendAgainWhatExpired() throws Exception {
        hooks.values().forEach(hook -> hook.answer(503));
        List<String> ids = new ArrayList<>();
        Map<String, Instant> published = new TreeMap<>();
        for (int minute = 0; minute < MINUTES; minute++) {
            String id = String.format("tiny/1/%02d", minute);
            ids.add(id);
            published.put(id, clock.instant());
            topics.publish(id, "nodedown");
            eventually(() -> assertThat(delivered("ops")).containsOnlyKeys(ids));
            clock.advance(Duration.ofMinutes(1));
        }
        assertThat(delivered("ops"))
                .as("the channel that works delivers before the clock goes on")
                .isEqualTo(published);
        eventually(() -> {
            clock.advance(Duration.ofMinutes(1));
            assertThat(gaveUp("pager")).isNotEmpty();
            assertThat(gaveUp("wall")).isNotEmpty();
        });

        hooks.values().forEach(hook -> hook.answer(200));
        eventually(() -> {
            clock.advance(Duration.ofMinutes(1));
            assertThat(topics.results()).hasSize(3 * MINUTES);
        });
        for (String channel : hooks.keySet()) {
            TreeSet<String> either = new TreeSet<>(delivered(channel).keySet());
            assertThat(either).as(channel).doesNotContainAnyElementsOf(gaveUp(channel));
            either.addAll(gaveUp(channel));
            assertThat(either).as(channel).containsExactlyElementsOf(ids);
        }
        int expired = gaveUp("pager").size() + gaveUp("wall").size();
        assertThat(letters()).hasSize(expired);

        String origin = "notifications-0@" + letters().get(0).getOffset();
        assertThat(run("dead-letters", "list", "--cause", "UNDELIVERED"))
                .contains(origin, "channel pager gave up", "channel wall gave up")
                .doesNotContain("(sent again)");
        assertThat(run("dead-letters", "show", origin)).contains("Cause:     UNDELIVERED", "weir-channel: ");
        assertThat(run("dead-letters", "redrive", "--cause", "UNDELIVERED").lines())
                .hasSize(expired)
                .allMatch(line -> line.endsWith(" for pager") || line.endsWith(" for wall"));
        eventually(() -> assertThat(topics.results()).hasSize(3 * MINUTES + expired));

        for (Map.Entry<String, HookReceiver> hook : hooks.entrySet()) {
            assertThat(delivered(hook.getKey())).as(hook.getKey()).containsOnlyKeys(ids);
            assertThat(new TreeSet<>(hook.getValue().keys())).containsExactlyElementsOf(ids);
        }
        assertThat(Files.readAllLines(file())).as("not told again").hasSize(MINUTES);
        assertThat(run("dead-letters", "list", "--cause", "UNDELIVERED").lines().filter(line -> line.contains(origin)))
                .isNotEmpty()
                .allMatch(line -> line.contains("(sent again)"));
    }

    @Test
    void shouldNotBeReadyWhileTheBrokerIsAway() throws Exception {
        Endpoints endpoints = environment.endpoints();
        eventually(() -> assertThat(readiness()).contains("\"status\":\"UP\""));

        environment.close();
        eventually(() ->
                assertThat(readiness()).contains("\"status\":\"DOWN\"", "\"broker\":\"no broker has answered for "));

        environment = KafkaEnvironment.start(
                new DataDirectory(directory.resolve("site")),
                port(endpoints.bootstrapServers()),
                port(endpoints.registryUrl()));
        eventually(() -> assertThat(readiness()).contains("\"status\":\"UP\""));
    }

    /** A consumer whose login is refused ends its heartbeats, and does not notice when its group goes on without it. */
    @Test
    void shouldDeliverAgainWhenItsLoginWasRefusedForLongerThanItsGroupWaits() throws Exception {
        Endpoints endpoints = environment.endpoints();
        topics.publish("tiny/1/0", "nodedown");
        eventually(() -> assertThat(delivered("ops")).containsOnlyKeys("tiny/1/0"));
        Path credential = directory.resolve("site/credentials/weir-notifier.properties");
        String former = Files.readString(credential);

        Files.writeString(credential, former.replaceAll("(?m)^kafka.password=.*", "kafka.password=0123456789abcdef"));
        restart(endpoints);
        eventually(() -> assertThat(readiness()).contains("The brokers refuse the login of this service"));
        eventually(() -> assertThat(members("weir.notifier.channel.ops")).isEmpty());
        Files.writeString(credential, former);
        topics.publish("tiny/1/1", "nodedown");

        eventually(() -> {
            clock.advance(Duration.ofSeconds(1));
            assertThat(delivered("ops")).containsOnlyKeys("tiny/1/0", "tiny/1/1");
        });
        assertThat(Files.readAllLines(file())).as("each once").hasSize(2);
        eventually(() -> assertThat(groupsWithoutMembers()).isEmpty());
    }

    private void restart(Endpoints endpoints) {
        topics.close();
        environment.close();
        environment = KafkaEnvironment.start(
                new DataDirectory(directory.resolve("site")),
                port(endpoints.bootstrapServers()),
                port(endpoints.registryUrl()));
        topics = new NotifierTopics(environment.connection(Account.SCHEDULER), environment.connection(Account.READER));
    }

    /** Returns which readers are no members any more: nearly all of those whose heartbeats met the refusal, if they do not join anew. */
    private List<String> groupsWithoutMembers() throws Exception {
        try (Admin admin = Admin.create(environment.connection(Account.ADMIN).kafka())) {
            List<String> groups = admin.listGroups().all().get().stream()
                    .map(GroupListing::groupId)
                    .filter(group -> group.startsWith("weir.notifier."))
                    .toList();
            return admin.describeConsumerGroups(groups).all().get().values().stream()
                    .filter(group -> group.members().isEmpty())
                    .map(ConsumerGroupDescription::groupId)
                    .sorted()
                    .toList();
        }
    }

    private Collection<MemberDescription> members(String group) throws Exception {
        try (Admin admin = Admin.create(environment.connection(Account.ADMIN).kafka())) {
            return admin.describeConsumerGroups(List.of(group))
                    .all()
                    .get()
                    .get(group)
                    .members();
        }
    }

    private String readiness() throws IOException, InterruptedException {
        HttpRequest question = HttpRequest.newBuilder(URI.create(notifier.healthUrl() + "/health/ready"))
                .build();
        return HttpClient.newHttpClient()
                .send(question, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Returns what {@code channel} delivered, and when by the notifier's clock. */
    private Map<String, Instant> delivered(String channel) {
        Map<String, Instant> delivered = new TreeMap<>();
        topics.results().stream()
                .filter(result -> result.getChannel().equals(channel))
                .filter(result -> result.getOutcome() == DeliveryOutcome.DELIVERED)
                .forEach(result -> delivered.put(result.getDeliveryId(), result.getTime()));
        return delivered;
    }

    private List<String> gaveUp(String channel) {
        return topics.results().stream()
                .filter(result -> result.getChannel().equals(channel))
                .filter(result -> result.getOutcome() == DeliveryOutcome.DEAD)
                .map(DeliveryResult::getDeliveryId)
                .toList();
    }

    private List<DeadLetter> letters() {
        return topics.deadLetters().stream()
                .filter(letter -> letter.getCause().equals("UNDELIVERED"))
                .toList();
    }

    private String run(String... words) throws IOException {
        Connection admin = environment.connection(Account.ADMIN);
        Properties properties = new Properties();
        properties.putAll(admin.client());
        Path client = directory.resolve("client.properties");
        try (Writer writer = Files.newBufferedWriter(client)) {
            properties.store(writer, null);
        }
        List<String> command = new ArrayList<>(List.of(words));
        command.addAll(List.of(
                "--bootstrap-server", admin.endpoints().bootstrapServers(),
                "--registry", admin.endpoints().registryUrl(),
                "--client-config", client.toString()));
        StringWriter out = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(out, true));
        assertThat(line.execute(command.toArray(String[]::new)))
                .as(out.toString())
                .isEqualTo(ExitCode.FINE);
        return out.toString();
    }

    private Path file() {
        return directory.resolve("notices.jsonl");
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(120, SECONDS).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
    }
}
