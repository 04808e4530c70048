package io.weir.standalone.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.runtime.RunnerListener;
import io.weir.schemas.GenericEvent;
import io.weir.standalone.Component;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.DemoCluster;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.access.Account;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two schedulers as processes of their own, and who schedules when one of them goes. */
class FailoverIT {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final String GROUP = "weir-scheduler";
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 8, 4, 20_000, 1.0, 60, 3);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration SESSION = Duration.ofSeconds(6);

    /** Longer than anything here is waited for: nobody goes on because a session has ended. */
    private static final Duration ENDLESS_SESSION = Duration.ofMinutes(5);

    /** Well below the minute that the transaction of the killed may stay open: nobody waited for that. */
    private static final Duration KILL_LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path root;

    private final List<ComponentProcess> processes = new ArrayList<>();
    private DataDirectory directory;
    private StandaloneConfig config;
    private Standalone site;
    private Standalone connector;
    private Admin admin;
    private KafkaConsumer<byte[], byte[]> journal;

    @BeforeEach
    void startSite() throws IOException {
        directory = new DataDirectory(root);
        CLUSTER.writeScript(directory);
        config = new StandaloneConfig(directory, 0, 0, Map.of(), CLUSTER.settings(directory));
        site = Standalone.start(config, EnumSet.of(Component.BROKER));
        startConnector();
        Map<String, Object> client = site.connection(Account.ADMIN).kafka();
        client.put("isolation.level", "read_committed");
        admin = Admin.create(client);
        journal = new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        TopicPartition partition = new TopicPartition(NAMES.full(Topics.JOURNAL), 0);
        journal.assign(List.of(partition));
        journal.seekToBeginning(List.of(partition));
        Properties properties = new Properties();
        properties.putAll(CLUSTER.settings(directory));
        properties.putAll(Map.of(
                "standby.replicas", "1",
                // However long the session is, members soon learn of a change of the group.
                "kafka.consumer.heartbeat.interval.ms", "400",
                // Facts alone are not committed: a kill finds a transaction open.
                "commit.interval.ms", "60000",
                "api.port", "-1"));
        try (var out = Files.newBufferedWriter(settings())) {
            properties.store(out, "Settings of the schedulers");
        }
    }

    @AfterEach
    void stopSite() {
        processes.forEach(ComponentProcess::kill);
        journal.close();
        admin.close();
        connector.close();
        site.close();
    }

    @Test
    void shouldGoOnWithTheStandbyAfterAStopWithoutWaitingForTheEndOfASession() {
        startTwo(ENDLESS_SESSION);
        connector.close();
        ComponentProcess active = inTransaction();
        startConnector();
        awaitIterations(3);
        skipToEnd();

        Instant stopped = Instant.now();
        Thread stop = new Thread(active::stop);
        stop.start();
        Duration longest = longestPause(stopped, active);

        System.out.println("fail-over after SIGTERM: longest time without an iteration " + longest.toMillis() + " ms");
        assertThat(active.exitCode()).isZero();
    }

    @Test
    void shouldGoOnWithTheStandbyAfterAKillThatLeftATransactionOpen() {
        startTwo(SESSION);
        connector.close();
        ComponentProcess active = inTransaction();
        skipToEnd();

        Instant killed = Instant.now();
        active.kill();
        startConnector();
        Duration longest = longestPause(killed, active);

        System.out.println("fail-over after SIGKILL: longest time without an iteration " + longest.toMillis() + " ms");
        assertThat(longest).isLessThan(KILL_LIMIT);
    }

    @Test
    void shouldEndOneOfTwoWithOneNameAndGoOnWithTheOther() throws IOException {
        ComponentProcess earlier = startScheduler("one", "here");
        awaitIterations(3);

        ComponentProcess later = startScheduler("one", "there");

        Awaitility.await("the end of one").atMost(PATIENCE).until(() -> !earlier.isAlive() || !later.isAlive());
        skipToEnd();
        awaitIterations(10);
        assertThat(earlier.isAlive()).isNotEqualTo(later.isAlive());
        ComponentProcess ended = earlier.isAlive() ? later : earlier;
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(Files.readString(output(ended == earlier ? "here" : "there")))
                .contains("Another scheduler has joined with the same instance.id 'one'");
    }

    @Test
    void shouldGoOnAtOnceWhenALoneSchedulerStartsAgain() {
        ComponentProcess before = startScheduler("one", "one");
        awaitIterations(3);
        before.stop();
        skipToEnd();

        Instant started = Instant.now();
        ComponentProcess after = startScheduler("one", "one");
        awaitIterations(1);

        System.out.println("restart of a lone scheduler: first iteration "
                + Duration.between(started, Instant.now()).toMillis() + " ms after the start of its process");
        assertThat(after.isAlive()).isTrue();
    }

    /** Starts two schedulers, one following the other, and returns when both are members. */
    private void startTwo(Duration session) {
        startScheduler("one", "one", session);
        startScheduler("two", "two", session);
        awaitIterations(3);
        Awaitility.await("two members").atMost(PATIENCE).until(() -> {
            var groups =
                    admin.describeConsumerGroups(List.of(GROUP)).all().get().values();
            return groups.stream()
                    .allMatch(group -> group.members().size() == 2 && group.groupState() == GroupState.STABLE);
        });
    }

    private ComponentProcess startScheduler(String instance, String place) {
        return startScheduler(instance, place, SESSION);
    }

    private ComponentProcess startScheduler(String instance, String place, Duration session) {
        ComponentProcess process = ComponentProcess.start(
                Component.SCHEDULER,
                512,
                List.of(
                        "--data",
                        root.toString(),
                        "--settings",
                        settings().toString(),
                        "--set",
                        "instance.id=" + instance,
                        "--set",
                        "session.timeout.ms=" + session.toMillis(),
                        "--set",
                        "state.dir=" + root.resolve("state-" + place)),
                output(place));
        processes.add(process);
        return process;
    }

    private void startConnector() {
        connector = Standalone.start(config, EnumSet.of(Component.CONNECTOR), RunnerListener.NONE, endpoints -> {});
    }

    private Path settings() {
        return root.resolve("schedulers.properties");
    }

    private Path output(String place) {
        return root.resolve(place + ".out");
    }

    /** Gives the schedulers facts to apply, which alone are not committed, and returns the one that is at it. */
    private ComponentProcess inTransaction() {
        ListTransactionsOptions open = new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING));
        Connection connection = site.connection(Account.ADMIN);
        try (AvroCodec codec = new AvroCodec(NAMES, connection.registry());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(connection.kafka(), new ByteArraySerializer(), new ByteArraySerializer())) {
            String id = Awaitility.await("an open transaction")
                    .atMost(PATIENCE)
                    .until(
                            () -> {
                                producer.send(event(codec)).get();
                                return admin.listTransactions(open).all().get().stream()
                                        .map(TransactionListing::transactionalId)
                                        .filter(found -> found.startsWith(GROUP + "/"))
                                        .findFirst();
                            },
                            Optional::isPresent)
                    .orElseThrow();
            return id.equals(GROUP + "/one-1") ? processes.get(0) : processes.get(1);
        }
    }

    private static ProducerRecord<byte[], byte[]> event(AvroCodec codec) {
        GenericEvent event = GenericEvent.newBuilder()
                .setCluster(CLUSTER.name())
                .setObjectType("NODE")
                .setObjectId("n0001")
                .setName("test")
                .setTime(Instant.now())
                .build();
        return new ProducerRecord<>(
                NAMES.full(Topics.MONITORING_EVENTS),
                new EntityKey(CLUSTER.name(), "n0001").toBytes(),
                codec.encode(Topics.MONITORING_EVENTS, event));
    }

    private void awaitIterations(int count) {
        int[] seen = new int[1];
        Awaitility.await(count + " iterations").atMost(PATIENCE).until(() -> (seen[0] += iterations()) >= count);
    }

    /** Returns the longest time between two iterations from {@code begin} until {@code gone} has ended and some more came. */
    private Duration longestPause(Instant begin, ComponentProcess gone) {
        Duration[] longest = {Duration.ZERO};
        Instant[] last = {begin};
        int[] after = new int[1];
        Awaitility.await("iterations")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    int found = iterations();
                    if (found > 0) {
                        Instant now = Instant.now();
                        Duration pause = Duration.between(last[0], now);
                        longest[0] = pause.compareTo(longest[0]) > 0 ? pause : longest[0];
                        last[0] = now;
                        after[0] += gone.isAlive() ? 0 : found;
                    }
                    return after[0] >= 10;
                });
        return longest[0];
    }

    /** Looks only at what is committed from now on. */
    private void skipToEnd() {
        journal.seekToEnd(journal.assignment());
        journal.assignment().forEach(journal::position);
    }

    private int iterations() {
        int count = 0;
        for (ConsumerRecord<byte[], byte[]> record : journal.poll(Duration.ofMillis(50))) {
            if (FactHeaders.KIND
                    .get(record.headers())
                    .filter(FactHeaders.KIND_ITERATION::equals)
                    .isPresent()) {
                count++;
            }
        }
        return count;
    }
}
