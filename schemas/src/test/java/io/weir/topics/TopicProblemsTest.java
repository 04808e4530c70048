package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.service.ProblemWatch;
import io.weir.service.Readiness;
import io.weir.topics.TopicSettings.Mode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicProblemsTest {
    private static final TopicSettings SETTINGS = new TopicSettings(
            new TopicNames(TopicNames.DEFAULT_PREFIX), Mode.CREATE, 1, Optional.of((short) 1), Map.of());

    private final MockAdminClient admin =
            MockAdminClient.create().numBrokers(1).controller(0).build();
    private final ProblemWatch watch = new ProblemWatch(
            broker -> new TopicProvisioner(broker, SETTINGS)
                    .problems(List.of(Topics.JOURNAL, Topics.JOBS), "app", List.of("app-state-changelog")),
            "all fine");
    private final Readiness readiness = new Readiness();

    TopicProblemsTest() {
        readiness.declare("topics", watch::obstacle);
        new TopicProvisioner(admin, SETTINGS).provision(List.of(Topics.JOURNAL, Topics.JOBS));
        new TopicProvisioner(admin, SETTINGS).provisionChangelogs(List.of("app-state-changelog"), 1);
    }

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void shouldBeReadyWhileTopicsAreAsTheyWereMade() {
        watch.ask(admin);
        watch.ask(admin);

        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void shouldNotBeReadyWhenSomebodyChangesWhatTheJournalNeeds() throws Exception {
        watch.ask(admin);
        set("message.timestamp.type", "LogAppendTime");
        watch.ask(admin);
        assertThat(readiness.isReady()).isTrue();

        watch.ask(admin);

        assertThat(readiness.report().get("topics"))
                .startsWith("Topic weir.journal has message.timestamp.type=LogAppendTime but needs CreateTime: ")
                .contains("--add-config message.timestamp.type=CreateTime");

        set("message.timestamp.type", "CreateTime");
        watch.ask(admin);
        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void shouldNotBeReadyWhenATopicIsGone() throws Exception {
        admin.deleteTopics(List.of("weir.jobs")).all().get();
        watch.ask(admin);
        watch.ask(admin);

        assertThat(readiness.report().get("topics")).startsWith("Topic weir.jobs is missing");
    }

    @Test
    void shouldNotBeReadyWhenATopicIsGoneThatKeepsTheState() throws Exception {
        admin.deleteTopics(List.of("app-state-changelog")).all().get();
        watch.ask(admin);
        watch.ask(admin);

        assertThat(readiness.report().get("topics"))
                .startsWith("Topic app-state-changelog, which keeps the state of app, is missing")
                .contains("--create --topic app-state-changelog --partitions 1 --replication-factor 1")
                .contains("--config cleanup.policy=compact")
                .contains("Do not restart the service before");

        new TopicProvisioner(admin, SETTINGS).provisionChangelogs(List.of("app-state-changelog"), 1);
        watch.ask(admin);
        assertThat(readiness.isReady()).isTrue();
    }

    private void set(String key, String value) throws Exception {
        Collection<AlterConfigOp> change =
                Set.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET));
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, "weir.journal"), change))
                .all()
                .get();
    }
}
