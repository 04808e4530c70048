package io.weir.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.standalone.access.Account;
import io.weir.standalone.access.Credentials;
import io.weir.topics.BrokerRequirements;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicProvisioner;
import io.weir.topics.TopicSettings;
import io.weir.topics.TopicSettings.Mode;
import io.weir.topics.Topics;
import io.weir.topics.UnfitBrokerException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalogue and a real broker agree. */
class TopicProvisioningIT {

    @TempDir
    Path directory;

    @Test
    void shouldMakeTheCatalogueOnARealBrokerAndFindItFit() throws Exception {
        Credentials credentials = new Credentials(directory.resolve("credentials"));
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials, 0);
                Admin admin = admin(broker, credentials)) {
            BrokerRequirements.check(admin);
            TopicProvisioner provisioner = provisioner(admin, Mode.CREATE, "weir.");

            provisioner.provision(Topics.all());
            provisioner.provision(Topics.all());
            provisioner(admin, Mode.VERIFY, "weir.").provision(Topics.all());

            ConfigResource journal = new ConfigResource(ConfigResource.Type.TOPIC, "weir.journal");
            var config = admin.describeConfigs(List.of(journal)).all().get().get(journal);
            provisioner
                    .configOf(Topics.JOURNAL)
                    .forEach((key, value) ->
                            assertThat(config.get(key).value()).as(key).isEqualTo(value));
        }
    }

    /** A thousandth of its size on the way, it would take more memory of each reader than that has. */
    @Test
    void shouldTakeNoRecordThatUnpacksToMoreThanItsTopicTakes() throws Exception {
        Credentials credentials = new Credentials(directory.resolve("credentials"));
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials, 0);
                Admin admin = admin(broker, credentials)) {
            provisioner(admin, Mode.CREATE, "weir.").provision(Topics.all());
            Map<String, Object> settings =
                    new HashMap<>(credentials.ensure(Account.ADMIN).clientProperties());
            settings.put("bootstrap.servers", broker.bootstrapServers());
            settings.put("compression.type", "gzip");
            settings.put("max.request.size", 64 << 20);
            settings.put("buffer.memory", 128L << 20);
            try (Producer<byte[], byte[]> producer =
                    new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> producer.send(new ProducerRecord<>(
                                        "weir.monitoring.events", new byte[] {'c'}, new byte[32 << 20]))
                                .get())
                        .withCauseInstanceOf(RecordTooLargeException.class);
                assertThat(producer.send(new ProducerRecord<>(
                                        "weir.monitoring.events", new byte[] {'c'}, new byte[900_000]))
                                .get()
                                .offset())
                        .isZero();
            }
        }
    }

    @Test
    void shouldReportWhatIsWrongOnARealBroker() throws Exception {
        Credentials credentials = new Credentials(directory.resolve("credentials"));
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, credentials, 0);
                Admin admin = admin(broker, credentials)) {
            admin.createTopics(List.of(
                            new NewTopic("site.jobs", 1, (short) 1),
                            new NewTopic("site.journal", 3, (short) 1)
                                    .configs(Map.of("retention.ms", "3600000", "max.message.bytes", "1000")),
                            new NewTopic("site.rm.jobs", 2, (short) 1),
                            new NewTopic("site.rm.nodes", 3, (short) 1)
                                    .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
                    .all()
                    .get();
            Awaitility.await("topics that the broker knows of")
                    .until(() -> admin.listTopics().names().get().contains("site.rm.nodes"));

            assertThatExceptionOfType(UnfitBrokerException.class)
                    .isThrownBy(() -> provisioner(admin, Mode.VERIFY, "site.")
                            .provision(List.of(
                                    Topics.JOURNAL, Topics.JOBS, Topics.NODES, Topics.RM_JOBS, Topics.RM_NODES)))
                    .satisfies(e -> assertThat(e.problems()).hasSize(8))
                    .withMessageContaining("--topic site.journal --add-config retention.ms=31536000000")
                    .withMessageContaining("--topic site.journal --add-config max.message.bytes=10551296");
        }
    }

    private static Admin admin(EmbeddedBroker broker, Credentials credentials) {
        Map<String, Object> client =
                new HashMap<>(credentials.ensure(Account.ADMIN).clientProperties());
        client.put("bootstrap.servers", broker.bootstrapServers());
        return Admin.create(client);
    }

    private static TopicProvisioner provisioner(Admin admin, Mode mode, String prefix) {
        return new TopicProvisioner(
                admin, new TopicSettings(new TopicNames(prefix), mode, 2, Optional.empty(), Map.of()));
    }
}
