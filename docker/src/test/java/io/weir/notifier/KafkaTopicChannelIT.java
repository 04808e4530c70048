package io.weir.notifier;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.command.Main;
import io.weir.command.terminal.ExitCode;
import io.weir.notifier.runtime.NotifierService;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.DeliveryResult;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.ForeignTopics;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Deliveries on a topic of somebody else, and what a channel gave up sent again to that channel alone. */
class KafkaTopicChannelIT {
    private static final String TOPIC = "hpc-notifications";

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
        Connection admin = environment.connection(Account.ADMIN);
        try (Admin client = Admin.create(admin.kafka())) {
            Grants.of(new TopicNames(TopicNames.DEFAULT_PREFIX), "weir-scheduler", List.of())
                    .apply(client);
        }
        Standalone.provision(admin.settings());
        topics = new NotifierTopics(environment.connection(Account.SCHEDULER), environment.connection(Account.READER));
        Map<String, String> settings =
                new HashMap<>(environment.connection(Account.NOTIFIER).settings());
        settings.put("notifier.channels", "bus,pager");
        settings.put("channel.bus.type", "kafka");
        settings.put("channel.bus.bootstrap.servers", admin.endpoints().bootstrapServers());
        settings.put("channel.bus.topic", TOPIC);
        settings.put("channel.bus.client.file", clientFile(admin).toString());
        settings.put("channel.bus.timeout.ms", "4000");
        settings.put("channel.bus.retry.attempts", "100");
        settings.put("channel.bus.retry.first.ms", "200");
        settings.put("channel.bus.retry.longest.ms", "500");
        settings.put("channel.pager.type", "webhook");
        settings.put("channel.pager.url", hook.url());
        settings.put("channel.pager.retry.attempts", "1");
        notifier = HostedService.start(new NotifierService(), settings, () -> {});
    }

    @AfterEach
    void stop() {
        hook.close();
        notifier.close();
        topics.close();
        environment.close();
    }

    @Test
    void shouldWriteToATopicOfOthersAndSendAgainOnlyWhereItWasGivenUp() throws Exception {
        hook.answer(400);
        topics.publish("tiny/1/0", "nodedown");
        topics.publish("tiny/1/1", "nodedown");
        eventually(() -> assertThat(topics.deadLetters()).hasSize(2));
        assertThat(topics.results())
                .as("the topic is not there yet: that channel waits and delays no other")
                .extracting(DeliveryResult::getChannel)
                .containsOnly("pager");

        ForeignTopics.make(List.of(TOPIC), environment.connection(Account.ADMIN).kafka());
        eventually(() -> assertThat(topics.results()).hasSize(4));

        List<ConsumerRecord<String, String>> written = written();
        assertThat(written).extracting(KafkaTopicChannelIT::ceId).containsOnly("tiny/1/0", "tiny/1/1");
        assertThat(written).extracting(ConsumerRecord::key).containsOnly("tiny/node/n1");
        assertThat(written.get(0).value()).contains("\"event\":\"nodedown\"", "\"id\":\"tiny/1/0\"");
        int before = written.size();

        hook.answer(200);
        String origin = "notifications-0@" + topics.deadLetters().get(0).getOffset();
        assertThat(redrive(origin)).contains(origin + " sent again as notifications-0@");
        eventually(() -> assertThat(topics.results()).hasSize(5));
        topics.publish("tiny/1/2", "nodedown");
        eventually(() -> assertThat(topics.results()).hasSize(7));

        assertThat(hook.keys()).containsExactly("tiny/1/0", "tiny/1/1", "tiny/1/0", "tiny/1/2");
        assertThat(written())
                .hasSize(before + 1)
                .last()
                .extracting(KafkaTopicChannelIT::ceId)
                .isEqualTo("tiny/1/2");
        assertThat(topics.deadLetters())
                .filteredOn(letter -> letter.getCause().equals("UNDELIVERED"))
                .extracting(DeadLetter::getOffset)
                .hasSize(2);
    }

    private String redrive(String origin) throws IOException {
        Connection admin = environment.connection(Account.ADMIN);
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(out, true));
        int code = command.execute(
                "dead-letters",
                "redrive",
                origin,
                "--bootstrap-server",
                admin.endpoints().bootstrapServers(),
                "--registry",
                admin.endpoints().registryUrl(),
                "--client-config",
                clientFile(admin).toString());
        assertThat(code).as(out.toString()).isEqualTo(ExitCode.FINE);
        return out.toString();
    }

    private Path clientFile(Connection connection) throws IOException {
        Properties properties = new Properties();
        properties.putAll(connection.client());
        Path file = directory.resolve("client.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        return file;
    }

    private List<ConsumerRecord<String, String>> written() {
        Map<String, Object> settings = environment.connection(Account.ADMIN).kafka();
        settings.put("enable.auto.commit", "false");
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition(TOPIC, 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long end = consumer.endOffsets(partitions).values().iterator().next();
            while (consumer.position(partitions.get(0)) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    private static String ceId(ConsumerRecord<String, String> record) {
        return new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8);
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(60, SECONDS).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
    }
}
