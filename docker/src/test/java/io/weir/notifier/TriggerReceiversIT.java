package io.weir.notifier;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Feature;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.Notification;
import io.weir.standalone.Component;
import io.weir.standalone.Connection;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.DemoCluster;
import io.weir.standalone.ForeignTopics;
import io.weir.standalone.KafkaEnvironment;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.Writer;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An event on a node, through scheduler, broker and notifier, to a mail server, a database, a trap receiver, a web service. */
class TriggerReceiversIT {
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 2, 2, 10, 1.0, 600, 3);
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path root;

    @Test
    @Feature({"TRIG-5", "TRIG-6", "TRIG-7", "TRIG-8"})
    void shouldReachWhateverTheTriggersName() throws Exception {
        String database = "jdbc:sqlite:" + root.resolve("inventory.db");
        try (java.sql.Connection sql = DriverManager.getConnection(database);
                Statement statement = sql.createStatement()) {
            statement.execute("create table nodes (name text, state text)");
        }
        DataDirectory directory = new DataDirectory(root.resolve("site"));
        CLUSTER.writeScript(directory);
        try (MailSink mail = new MailSink();
                HookReceiver hook = new HookReceiver();
                KafkaEnvironment bus = KafkaEnvironment.start(new DataDirectory(root.resolve("bus")), 0, 0);
                DatagramSocket traps = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                Standalone site = Standalone.start(
                        new StandaloneConfig(
                                directory,
                                0,
                                0,
                                Map.of(),
                                settings(directory, mail.port(), hook.url(), traps.getLocalPort(), database, bus)),
                        EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.CONNECTOR, Component.NOTIFIER))) {
            traps.setSoTimeout((int) PATIENCE.toMillis());
            new PolicyPublisher(site.connection(Account.API), NAMES).publish("lab", policy(hook.url()), "test");
            String node = Awaitility.await("a node")
                    .atMost(PATIENCE)
                    .until(
                            () -> read(site).read(Topics.NODES).stream()
                                    .map(NodeStatus::getNodeId)
                                    .sorted()
                                    .findFirst()
                                    .orElse(""),
                            id -> !id.isEmpty());

            Awaitility.await("the triggers fire")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        raise(site, node, "sick");
                        return !mail.mails().isEmpty();
                    });
            Awaitility.await("the answers")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(firings(site, DeliveryOutcome.DELIVERED))
                            .extracting(result ->
                                    String.valueOf(result.getTriggerId()).replaceFirst("@.*", ""))
                            .contains(
                                    "NODECFG.DEFAULT.1",
                                    "NODECFG.DEFAULT.2",
                                    "NODECFG.DEFAULT.3",
                                    "NODECFG.DEFAULT.4",
                                    "NODECFG.DEFAULT.5",
                                    "NODECFG.DEFAULT.6"));
            assertThat(published(bus)).isNotEmpty().allSatisfy(record -> {
                assertThat(record.key()).isEqualTo("lab/node/" + node);
                assertThat(record.value())
                        .contains(
                                "\"cluster\":\"lab\"",
                                "\"trigger\":\"NODECFG.DEFAULT.5@node:" + node + "\"",
                                "\"objectType\":\"node\"",
                                "\"objectId\":\"" + node + "\"",
                                "\"owner\":null",
                                "\"message\":\"look at " + node + "\"");
                assertThat(new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8))
                        .startsWith("lab/");
            });
            assertThat(hook.taken().values())
                    .anySatisfy(body -> assertThat(body)
                            .contains("\"trigger\":\"NODECFG.DEFAULT.6@node:" + node + "\"", "it's; drop table nodes"));

            assertThat(mail.mails().get(0))
                    .contains("Subject: " + node + " is sick", "To: ops@example.org", "somebody look at " + node);
            assertThat(rows(database)).startsWith(node + "=it's; drop table nodes");
            DatagramPacket trap = new DatagramPacket(new byte[4_096], 4_096);
            traps.receive(trap);
            assertThat(new String(Arrays.copyOf(trap.getData(), trap.getLength()), StandardCharsets.ISO_8859_1))
                    .contains("secret-community", "node " + node);
            assertThat(hook.taken().values()).contains("{\"node\":\"" + node + "\"}");

            hook.answer(500);
            Awaitility.await("the failure")
                    .atMost(PATIENCE.multipliedBy(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        // An event that comes while the trigger's last firing is under way does not fire it again.
                        raise(site, node, "sick");
                        assertThat(read(site).read(Topics.NOTIFICATIONS))
                                .filteredOn(each -> each.getEvent().equals("trigfail"))
                                .extracting(Notification::getText)
                                .anySatisfy(text -> assertThat(text).contains("NODECFG.DEFAULT.4", node, "500"));
                    });
        }
    }

    @Test
    @Feature({"TRIG-4", "CAT-34"})
    void shouldRunAProgramWithItsJobAndEndItWithThat() throws Exception {
        DemoCluster cluster = new DemoCluster("lab", 2, 2, 200, 1.0, 600, 3);
        Path program = Files.writeString(
                root.resolve("attend"), "#!/bin/sh\ncat >" + root + "/$WEIR_OID.xml\nexec sleep 200\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-x---"));
        DataDirectory directory = new DataDirectory(root.resolve("site"));
        cluster.writeScript(directory);
        Map<String, String> settings = new HashMap<>(cluster.settings(directory));
        settings.put("notifier.actions", "exec");
        settings.put("action.exec.programs", program.toString());
        settings.put("action.exec.timeout.ms", "240000");
        try (Standalone site = Standalone.start(
                new StandaloneConfig(directory, 0, 0, Map.of(), settings),
                EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.CONNECTOR, Component.NOTIFIER))) {
            new PolicyPublisher(site.connection(Account.API), NAMES)
                    .publish(
                            "lab",
                            "CLASSCFG[DEFAULT] TRIGGER=EType=start,AType=exec,Action=" + program
                                    + ",Timeout=30:00:00:00,Flags=cleanup.objectxmlstdin",
                            "test");
            Awaitility.await("the end of a program with its job")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(firings(site, DeliveryOutcome.FAILED))
                            .anySatisfy(result -> {
                                assertThat(result.getMessage()).contains("ended, as its object is over");
                                String job =
                                        String.valueOf(result.getTriggerId()).replaceFirst(".*@job:", "");
                                assertThat(root.resolve(job + ".xml"))
                                        .content()
                                        .startsWith("<job ")
                                        .contains("JOBID=\"" + job + "\"");
                            }));
        }
    }

    private static String policy(String url) {
        String ours = "NODECFG[DEFAULT] TRIGGER=EType=gevent:sick,MultiFire=TRUE,";
        return "ADMINCFG[1] USERS=ops\n"
                + ours + "AType=mail,Action=\"$OID is sick|somebody look at $OID\"\n"
                + ours + "AType=dbupdate,Action=\"inventory insert into nodes values (?, ?) | $OID | $MESSAGE\"\n"
                + ours + "AType=snmp,Action=\"127.0.0.1 ignored 1.3.6.1.4.1.8072.9999 node $OID\"\n"
                + ours + "AType=http,Action=\"POST " + url + " {\\\"node\\\":\\\"$OID\\\"}\"\n"
                + ours + "AType=event,Action=\"hpc-events look at $OID\"\n"
                + ours + "AType=http,Action=" + url + "\n";
    }

    private Map<String, String> settings(
            DataDirectory directory, int smtp, String url, int trap, String database, KafkaEnvironment bus)
            throws Exception {
        Map<String, String> settings = new HashMap<>(CLUSTER.settings(directory));
        settings.put("notifier.actions", "mail,dbupdate,snmp,http,event");
        Connection others = bus.connection(Account.ADMIN);
        ForeignTopics.make(List.of("hpc-events"), others.kafka());
        settings.put("action.event.bootstrap.servers", others.endpoints().bootstrapServers());
        settings.put("action.event.topics", "hpc-events");
        settings.put("action.event.client.file", clientFile(others).toString());
        settings.put("action.mail.host", "127.0.0.1");
        settings.put("action.mail.port", Integer.toString(smtp));
        settings.put("action.mail.security", "none");
        settings.put("action.mail.from", "weir@example.org");
        settings.put("action.mail.to", "fallback@example.org");
        settings.put("action.mail.domain", "example.org");
        settings.put("action.dbupdate.source", "inventory");
        settings.put("action.dbupdate.url", database);
        settings.put("action.snmp.host", "127.0.0.1");
        settings.put("action.snmp.port", Integer.toString(trap));
        settings.put("action.snmp.version", "2c");
        settings.put(
                "action.snmp.community.file",
                Files.writeString(root.resolve("community"), "secret-community\n")
                        .toString());
        settings.put("action.http.hosts", URI.create(url).getAuthority());
        settings.put("action.http.retry.attempts", "1");
        return settings;
    }

    private Path clientFile(Connection connection) throws IOException {
        Properties properties = new Properties();
        properties.putAll(connection.client());
        Path file = root.resolve("client.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        return file;
    }

    private static List<ConsumerRecord<String, String>> published(KafkaEnvironment bus) {
        Map<String, Object> settings = bus.connection(Account.ADMIN).kafka();
        settings.put("enable.auto.commit", "false");
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition("hpc-events", 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long end = consumer.endOffsets(partitions).values().iterator().next();
            while (consumer.position(partitions.get(0)) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    private static void raise(Standalone site, String node, String event) throws Exception {
        Connection connection = site.connection(Account.MONITORING);
        try (AvroCodec codec = new AvroCodec(NAMES, connection.registry());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(connection.kafka(), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            NAMES.full(Topics.MONITORING_EVENTS),
                            new EntityKey("lab", node).toBytes(),
                            codec.encode(
                                    Topics.MONITORING_EVENTS,
                                    new GenericEvent(
                                            "lab",
                                            event,
                                            "node",
                                            node,
                                            "it's; drop table nodes",
                                            Instant.now(),
                                            "test",
                                            true,
                                            null))))
                    .get();
        }
    }

    private static List<DeliveryResult> firings(Standalone site, DeliveryOutcome outcome) {
        return read(site).read(Topics.DELIVERY_RESULTS).stream()
                .filter(result -> result.getKind().equals("firing") && result.getOutcome() == outcome)
                .toList();
    }

    private static TopicContents read(Standalone site) {
        return new TopicContents(site.connection(Account.READER), NAMES);
    }

    private static String rows(String database) throws Exception {
        StringBuilder rows = new StringBuilder();
        try (java.sql.Connection sql = DriverManager.getConnection(database);
                Statement statement = sql.createStatement();
                ResultSet found = statement.executeQuery("select name, state from nodes")) {
            while (found.next()) {
                rows.append(found.getString(1))
                        .append('=')
                        .append(found.getString(2))
                        .append('\n');
            }
        }
        return rows.toString();
    }
}
