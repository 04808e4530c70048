package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.weir.topics.TopicSettings.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class TopicProvisionerTest {

    private final MockAdminClient admin =
            MockAdminClient.create().numBrokers(3).controller(0).build();

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void shouldMakeEveryTopicAsConfigured() throws Exception {
        provisioner(Mode.CREATE, 4).provision(Topics.all());

        Map<String, TopicDescription> made = admin.describeTopics(
                        admin.listTopics().names().get())
                .allTopicNames()
                .get();
        assertThat(made).hasSameSizeAs(Topics.all());
        assertThat(made.values()).allSatisfy(topic -> {
            assertThat(topic.partitions()).hasSize(4);
            assertThat(topic.partitions().get(0).replicas()).hasSize(3);
        });
    }

    @Test
    void shouldLeaveWhatExistsAlone() {
        TopicProvisioner provisioner = provisioner(Mode.CREATE, 4);
        provisioner.provision(Topics.all());

        assertThatCode(() -> provisioner.provision(Topics.all())).doesNotThrowAnyException();
        assertThatCode(() -> provisioner(Mode.VERIFY, 1).provision(Topics.all()))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldConfigureTopicsForVirtualTimeAndRetention() {
        TopicProvisioner provisioner = provisioner(Mode.CREATE, 1);

        assertThat(provisioner.configOf(Topics.RM_NODES))
                .containsEntry("cleanup.policy", "delete")
                .containsEntry("retention.ms", String.valueOf(Duration.ofDays(7).toMillis()))
                .containsEntry("message.timestamp.type", "CreateTime")
                .containsEntry("message.timestamp.after.max.ms", "9223372036854775807")
                .containsEntry("max.message.bytes", "1048576")
                .containsEntry("compression.type", "uncompressed");
        assertThat(provisioner.configOf(Topics.MONITORING_METRICS)).containsEntry("compression.type", "uncompressed");
        assertThat(provisioner.configOf(Topics.JOURNAL))
                .containsEntry("max.message.bytes", "10551296")
                .doesNotContainKey("compression.type");
        assertThat(provisioner.configOf(Topics.POLICY)).containsEntry("retention.ms", "-1");
        assertThat(provisioner.configOf(Topics.JOBS))
                .containsEntry("cleanup.policy", "compact")
                .containsEntry("retention.ms", "-1");
    }

    @Test
    void shouldReportEveryMissingTopicWhenItMayNotMakeThem() {
        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> provisioner(Mode.CREATE, 1).verify(Topics.all()))
                .satisfies(e -> assertThat(e.problems()).hasSameSizeAs(Topics.all()));
        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> provisioner(Mode.VERIFY, 1).provision(Topics.all()))
                .satisfies(e -> assertThat(e.problems()).hasSameSizeAs(Topics.all()))
                .withMessageContaining("Topic weir.rm.nodes is missing, or this account may not see it")
                .withMessageContaining("topics.mode=create");
    }

    @Test
    void shouldReportAllThatIsWrongAtOnce() {
        make("weir.rm.nodes", 1, Map.of("message.timestamp.type", "LogAppendTime"));
        make("weir.rm.jobs", 2, Map.of("cleanup.policy", "compact"));
        make("weir.jobs", 5, Map.of("cleanup.policy", "delete"));

        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> provisioner(Mode.VERIFY, 1)
                        .provision(List.of(Topics.RM_NODES, Topics.RM_JOBS, Topics.JOBS, Topics.NODES)))
                .satisfies(e -> assertThat(e.problems()).hasSize(5))
                .withMessageContaining("weir.rm.nodes has message.timestamp.type=LogAppendTime but needs CreateTime")
                .withMessageContaining("weir.rm.jobs has cleanup.policy=compact but needs delete")
                .withMessageContaining("weir.jobs has cleanup.policy=delete but needs compact")
                .withMessageContaining("{weir.rm.jobs=2, weir.rm.nodes=1}")
                .withMessageContaining("weir.nodes is missing");
    }

    @Test
    void shouldRefuseTopicsThatWouldLoseWhatIsPromised() {
        make("weir.journal", 1, Map.of("retention.ms", "86400000", "max.message.bytes", "1048588"));
        make("weir.policy", 1, Map.of("retention.bytes", "1000000"));
        make("weir.rm.nodes", 1, Map.of("min.insync.replicas", "4"));
        make("weir.rm.jobs", 1, Map.of("unclean.leader.election.enable", "true"));
        make("weir.requests", 1, (short) 1, Map.of());

        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> provisioner(Mode.VERIFY, 1)
                        .provision(List.of(
                                Topics.JOURNAL, Topics.POLICY, Topics.RM_NODES, Topics.RM_JOBS, Topics.REQUESTS)))
                .satisfies(e -> assertThat(e.problems()).hasSize(6))
                .withMessageContaining("--topic weir.journal --add-config retention.ms=31536000000")
                .withMessageContaining("--topic weir.journal --add-config max.message.bytes=10551296")
                .withMessageContaining("--topic weir.policy --add-config retention.bytes=-1")
                .withMessageContaining("--topic weir.rm.nodes --add-config min.insync.replicas=2")
                .withMessageContaining("--topic weir.rm.jobs --add-config unclean.leader.election.enable=false")
                .withMessageContaining("Topic weir.requests has a partition with 1 replicas");
    }

    @Test
    void shouldRefuseCompactedTopicsThatDeleteWhatIsOldToo() {
        make("weir.jobs", 1, Map.of("cleanup.policy", "compact,delete"));
        make("app-entities-changelog", 1, Map.of("cleanup.policy", "compact,delete"));

        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> provisioner(Mode.VERIFY, 1).provision(List.of(Topics.JOBS)))
                .withMessageContaining("--topic weir.jobs --add-config cleanup.policy=compact");
        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> provisioner(Mode.CREATE, 1).verifyChangelogs("app"))
                .withMessageContaining("--topic app-entities-changelog --add-config cleanup.policy=compact");
    }

    @Test
    void shouldOnlyWarnOfAShorterHistory() {
        make("weir.decisions", 1, Map.of("retention.ms", "3600000", "min.insync.replicas", "1"));

        assertThatCode(() -> provisioner(Mode.VERIFY, 1).provision(List.of(Topics.DECISIONS)))
                .doesNotThrowAnyException();
    }

    /** What is put out for a cluster goes elsewhere from then on, and services that run read on where it was. */
    @Test
    void shouldWarnOfPartitionsThatWereAddedToAnOutput() {
        provisioner(Mode.CREATE, 2)
                .provision(Topics.all().stream()
                        .filter(topic -> topic != Topics.COMMANDS && topic != Topics.MONITORING_METRICS)
                        .toList());
        make("weir.commands", 3, Map.of());
        make("weir.monitoring.metrics", 8, Map.of());
        Logger logger = (Logger) LoggerFactory.getLogger(TopicProvisioner.class);
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        seen.start();
        logger.addAppender(seen);
        try {
            provisioner(Mode.CREATE, 2).provision(Topics.all());
        } finally {
            logger.detachAppender(seen);
        }

        assertThat(seen.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(message -> message.contains("number of partitions"))
                .singleElement()
                .asString()
                .contains("than the scheduler's inputs, which have [2]: {weir.commands=3}");
    }

    @Test
    void shouldRefuseChangelogsThatForget() {
        make("app-entities-changelog", 1, Map.of("cleanup.policy", "delete"));
        make("app-intake-changelog", 1, (short) 1, Map.of("cleanup.policy", "compact"));
        make("another-intake-changelog", 1, (short) 1, Map.of("cleanup.policy", "delete"));

        assertThatExceptionOfType(UnfitBrokerException.class)
                .isThrownBy(() -> provisioner(Mode.CREATE, 1).verifyChangelogs("app"))
                .satisfies(e -> assertThat(e.problems()).hasSize(2))
                .withMessageContaining("--topic app-entities-changelog --add-config cleanup.policy=compact")
                .withMessageContaining("Topic app-intake-changelog has a partition with 1 replicas");
    }

    private void make(String name, int partitions, Map<String, String> config) {
        make(name, partitions, (short) 3, config);
    }

    private void make(String name, int partitions, short replicas, Map<String, String> config) {
        admin.createTopics(List.of(new NewTopic(name, partitions, replicas).configs(config)));
    }

    private TopicProvisioner provisioner(Mode mode, int partitions) {
        return new TopicProvisioner(
                admin, new TopicSettings(new TopicNames("weir."), mode, partitions, Optional.of((short) 3), Map.of()));
    }
}
