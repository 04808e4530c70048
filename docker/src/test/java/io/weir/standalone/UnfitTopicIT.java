package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weir.standalone.access.Account;
import io.weir.topics.UnfitBrokerException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody changed a topic of the launcher's broker so that nothing starts any more. */
class UnfitTopicIT {
    @TempDir
    Path directory;

    @Test
    void shouldStartTheBrokerAloneSoThatTheTopicCanBeMended() throws Exception {
        try (Standalone broker = start(EnumSet.of(Component.BROKER))) {
            cleanUp(broker, "delete");
        }

        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> start(EnumSet.of(Component.BROKER, Component.NOTIFIER)))
                .withMessageContaining("Topic weir.jobs has cleanup.policy=delete but needs compact: kafka-configs.sh")
                .withMessageContaining("start the broker alone (weir standalone --only broker)")
                .withMessageContaining(
                        directory.resolve("clients/weir-admin.properties").toString());

        try (Standalone broker = start(EnumSet.of(Component.BROKER))) {
            cleanUp(broker, "compact");
        }
        try (Standalone weir = start(EnumSet.of(Component.BROKER, Component.NOTIFIER))) {
            assertThat(weir.isHealthy()).isTrue();
        }
    }

    private Standalone start(EnumSet<Component> components) {
        return Standalone.start(
                new StandaloneConfig(new DataDirectory(directory), 0, 0, Map.of(), Map.of("cluster", "c1")),
                components);
    }

    private static void cleanUp(Standalone broker, String policy) throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "weir.jobs");
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry("cleanup.policy", policy), AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(broker.connection(Account.ADMIN).kafka())) {
            admin.incrementalAlterConfigs(Map.of(topic, List.of(change))).all().get();
        }
    }
}
