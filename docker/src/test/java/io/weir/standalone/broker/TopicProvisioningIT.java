package io.weir.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.topics.BrokerRequirements;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicProvisioner;
import io.weir.topics.TopicSettings;
import io.weir.topics.TopicSettings.Mode;
import io.weir.topics.Topics;
import io.weir.topics.UnfitBrokerException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalogue and a real broker agree. */
class TopicProvisioningIT {

    @TempDir
    Path directory;

    @Test
    void shouldMakeTheCatalogueOnARealBrokerAndFindItFit() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0);
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
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

    @Test
    void shouldReportWhatIsWrongOnARealBroker() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0);
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(
                            new NewTopic("site.jobs", 1, (short) 1),
                            new NewTopic("site.rm.jobs", 2, (short) 1),
                            new NewTopic("site.rm.nodes", 3, (short) 1)
                                    .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
                    .all()
                    .get();

            assertThatExceptionOfType(UnfitBrokerException.class)
                    .isThrownBy(() -> provisioner(admin, Mode.VERIFY, "site.")
                            .provision(List.of(Topics.JOBS, Topics.NODES, Topics.RM_JOBS, Topics.RM_NODES)))
                    .satisfies(e -> assertThat(e.problems()).hasSize(4));
        }
    }

    private static TopicProvisioner provisioner(Admin admin, Mode mode, String prefix) {
        return new TopicProvisioner(
                admin, new TopicSettings(new TopicNames(prefix), mode, 2, Optional.empty(), Map.of()));
    }
}
