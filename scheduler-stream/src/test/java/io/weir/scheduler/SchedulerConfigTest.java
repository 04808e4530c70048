package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.stream.ClockMode;
import io.weir.scheduler.stream.Rewriting;
import io.weir.scheduler.stream.StreamSettings;
import io.weir.service.ProgressWatch;
import io.weir.service.ServiceConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class SchedulerConfigTest {
    @Test
    void shouldHaveTheseDefaults() {
        StreamSettings stream = config(Map.of()).stream(3, new Rewriting());

        assertThat(stream.clusters()).containsExactly("alpha");
        assertThat(stream.partitions()).isEqualTo(3);
        assertThat(stream.clock()).isEqualTo(ClockMode.WALL);
        assertThat(stream.coalesce()).isEqualTo(Duration.ofMillis(1));
        assertThat(stream.maxSkew()).isEqualTo(Duration.ofMinutes(5));
        assertThat(stream.gapTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(stream.foreignReports()).isFalse();
        assertThat(stream.names().prefix()).isEqualTo("weir.");
    }

    @Test
    void shouldTakeEverySetting() {
        StreamSettings stream = config(Map.of(
                        "clusters", "beta,alpha",
                        "clock", "rm",
                        "clock.max.skew.ms", "7",
                        "iteration.coalesce.ms", "8",
                        "intake.gap.timeout.ms", "9",
                        "intake.foreign.reports", "true",
                        "topics.prefix", "site."))
                .stream(1, new Rewriting());

        assertThat(stream.clusters()).containsExactly("alpha", "beta");
        assertThat(stream.clock()).isEqualTo(ClockMode.RM);
        assertThat(stream.maxSkew()).isEqualTo(Duration.ofMillis(7));
        assertThat(stream.coalesce()).isEqualTo(Duration.ofMillis(8));
        assertThat(stream.gapTimeout()).isEqualTo(Duration.ofMillis(9));
        assertThat(stream.foreignReports()).isTrue();
        assertThat(stream.names().prefix()).isEqualTo("site.");
    }

    @Test
    void shouldRunExactlyOnceWithStaticMembershipWhateverIsPassedThrough() {
        Properties streams = config(Map.of(
                        "instance.id", "one",
                        "application.id", "app",
                        "state.dir", "/var/lib/weir",
                        "kafka.streams.processing.guarantee", "at_least_once",
                        "kafka.consumer.auto.offset.reset", "latest",
                        "kafka.consumer.session.timeout.ms", "6000",
                        "kafka.security.protocol", "SSL"))
                .streams();

        assertThat(streams)
                .containsEntry(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2)
                .containsEntry(StreamsConfig.APPLICATION_ID_CONFIG, "app")
                .containsEntry(StreamsConfig.STATE_DIR_CONFIG, "/var/lib/weir")
                .containsEntry("consumer.group.instance.id", "one")
                .containsEntry("consumer.auto.offset.reset", "none")
                .containsEntry("consumer.session.timeout.ms", "6000")
                .containsEntry("producer.linger.ms", 100)
                .containsEntry("producer.transaction.timeout.ms", 60_000)
                .containsEntry("security.protocol", "SSL")
                .containsEntry(StreamsConfig.POLL_MS_CONFIG, 2L);
    }

    @Test
    void shouldLetAnotherInstanceTakeOverSoon() {
        assertThat(config(Map.of()).streams())
                .containsEntry("consumer.session.timeout.ms", 8_000)
                .containsEntry("consumer.heartbeat.interval.ms", 500);
        assertThat(config(Map.of("session.timeout.ms", "32000")).streams())
                .containsEntry("consumer.heartbeat.interval.ms", 2_000);
    }

    @Test
    void shouldTellTheThreadOfAClientByItsName() {
        assertThat(StreamClients.threadOf(Map.of("client.id", "app-one-StreamThread-2-consumer")))
                .isEqualTo(StreamClients.threadOf(Map.of("client.id", "app-one-StreamThread-2-producer")))
                .isNotEqualTo(StreamClients.threadOf(Map.of("client.id", "app-one-StreamThread-1-producer")));
    }

    @Test
    void shouldNameTransactionsAfterTheMember() {
        Map<String, Object> named = new StreamClients("app", "one", records -> {}, new ProgressWatch("committed"))
                .named(Map.of("transactional.id", "app-0b5e7c1a-6c1f-4c55-9a3e-3f2d6a1f0e11-2", "linger.ms", 0));

        assertThat(named)
                .containsEntry("transactional.id", StreamClients.transactionalPrefix("app") + "one-2")
                .containsEntry("linger.ms", 0);
    }

    @Test
    void shouldWaitLongerForInputWhenOnlyInputMatters() {
        assertThat(config(Map.of("clock", "rm")).streams()).containsEntry(StreamsConfig.POLL_MS_CONFIG, 50L);
        assertThat(config(Map.of("poll.ms", "9")).streams()).containsEntry(StreamsConfig.POLL_MS_CONFIG, 9L);
    }

    @Test
    void shouldRefuseClusterNamesThatKeysCannotHold() {
        assertThatThrownBy(() -> config(Map.of("clusters", "a/b")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a/b");
    }

    @Test
    void shouldRefuseAClusterThatIsBothScheduledAndGivenUp() {
        assertThat(config(Map.of("clusters.given.up", "beta")).stream(1, new Rewriting())
                        .givenUp())
                .containsExactly("beta");
        assertThatThrownBy(() -> config(Map.of("clusters.given.up", "beta,alpha")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("clusters.given.up");
    }

    private static SchedulerConfig config(Map<String, String> chosen) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "kafka.bootstrap.servers", "broker:9092", "registry.url", "http://registry:8081", "clusters", "alpha"));
        settings.putAll(chosen);
        return new SchedulerConfig(ServiceConfig.of(SchedulerConfig.definition(), settings));
    }
}
