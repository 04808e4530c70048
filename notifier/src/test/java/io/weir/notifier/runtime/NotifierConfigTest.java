package io.weir.notifier.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.file.FileProvider;
import io.weir.notifier.kafka.EventActorProvider;
import io.weir.notifier.kafka.KafkaTopicProvider;
import io.weir.notifier.runtime.handler.RoutingTest;
import io.weir.notifier.runtime.loop.FirstPosition;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.NotifierProvider;
import io.weir.notifier.webhook.WebhookProvider;
import io.weir.schemas.Severity;
import io.weir.service.ServiceConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotifierConfigTest {

    private static final Map<String, NotifierProvider> PROVIDERS = new TreeMap<>(
            Map.of("file", new FileProvider(), "webhook", new WebhookProvider(), "kafka", new KafkaTopicProvider()));
    private static final Map<String, ActorProvider> ACTORS = Map.of("event", new EventActorProvider());

    @Test
    void shouldReadChannelsAndRoutes() {
        NotifierConfig config = read(
                "notifier.channels=ops, pager",
                "notifier.routes=all,urgent",
                "notifier.retry.first.ms=2000",
                "channel.ops.type=file",
                "channel.ops.path=/tmp/notices.jsonl",
                "channel.pager.type=webhook",
                "channel.pager.url=http://127.0.0.1/hook",
                "channel.pager.retry.attempts=20",
                "route.all.channels=ops",
                "route.urgent.channels=pager",
                "route.urgent.severity=Error");

        assertThat(config.channels()).extracting(ChannelConfig::name).containsExactly("ops", "pager");
        assertThat(config.channels().get(0).retry())
                .isEqualTo(new RetrySchedule(8, Duration.ofSeconds(2), 2, Duration.ofMinutes(5)));
        assertThat(config.channels().get(1).retry())
                .isEqualTo(new RetrySchedule(20, Duration.ofSeconds(2), 2, Duration.ofMinutes(5)));
        assertThat(config.routing().sends(RoutingTest.delivery("nodedown", Severity.ERROR), "pager"))
                .isTrue();
        assertThat(config.routing().sends(RoutingTest.delivery("jobstart", Severity.INFO), "pager"))
                .isFalse();
    }

    @Test
    void shouldHaveDefaults() {
        NotifierConfig config = read();

        assertThat(config.instance()).isEqualTo("0");
        assertThat(config.firstPosition()).isEqualTo(FirstPosition.EARLIEST);
        assertThat(config.drain()).isEqualTo(Duration.ofSeconds(20));
        assertThat(config.channels()).isEmpty();
        assertThat(config.routing().rules()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "channel.ops.type=                    | in channel.ops.: .*there are \\[file, kafka, webhook\\]",
                "channel.ops.type=pigeon              | in channel.ops.: .*pigeon.*there are \\[file, kafka, webhook\\]",
                "channel.ops.pth=/tmp/x               | in channel.ops.: unknown \\[pth\\]; there are .*path.*",
                "channel.ops.retry.attempts=0         | in channel.ops.: .*retry.attempts.*",
                "channel.opps.path=/tmp/x             | .*channel.opps.path.*notifier.channels=\\[ops\\].*",
                "notifier.channels=ops,Pager          | .*Pager.*use lower-case letters.*",
                "notifier.channels=ops,ops            | .*notifier.channels.*",
                "notifier.chanels=ops                 | .*Unknown setting 'notifier.chanels'.*",
                "notifier.instance=a b                | .*notifier.instance.*",
                "notifier.first.position=somewhere    | .*notifier.first.position.*",
                "route.r.channels=pager               | in route.r.: .*pager.*there is no such channel.*",
                "route.r.severity=loud                | in route.r.: .*loud.*",
                "route.x.severity=error               | .*route.x.severity.*notifier.routes=\\[r\\].*"
            })
    void shouldSayWhatCannotBeUsedAndWhere(String setting, String message) {
        assertThatThrownBy(() -> read(
                        "notifier.channels=ops",
                        "notifier.routes=r",
                        "channel.ops.type=file",
                        "channel.ops.path=/tmp/notices.jsonl",
                        setting))
                .isInstanceOf(ConfigException.class)
                .message()
                .matches("(?s)" + message);
    }

    @Test
    void shouldSayWhichChannelCannotBeOpened() {
        NotifierConfig config = read(
                "notifier.channels=ops", "channel.ops.type=file", "channel.ops.path=/no/such/directory/notices.jsonl");

        assertThatThrownBy(() -> config.channels().get(0).open())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("in channel.ops.: ")
                .hasMessageContaining("make it");
    }

    @ParameterizedTest
    @CsvSource({
        "weir.,weir.trigger-firings",
        "weir.,weir.dead-letters",
        "weir.,weir.none-yet",
        "site.,site.nodes",
        "'',trigger-firings",
        "weir.,__consumer_offsets"
    })
    void shouldLetTriggersPublishOnNoTopicOfWeirsOwn(String prefix, String topic) {
        assertThatThrownBy(() -> read(
                        "topics.prefix=" + prefix,
                        "notifier.actions=event",
                        "action.event.bootstrap.servers=127.0.0.1:9",
                        "action.event.topics=hpc-events," + topic))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("in action.event.: ")
                .hasMessageContaining(topic);
    }

    @ParameterizedTest
    @CsvSource({"weir.,weir.requests", "site.,site.nodes", "'',requests", "weir.,__consumer_offsets"})
    void shouldLetChannelsWriteToNoTopicOfWeirsOwn(String prefix, String topic) {
        assertThatThrownBy(() -> read(
                        "topics.prefix=" + prefix,
                        "notifier.channels=bus",
                        "channel.bus.type=kafka",
                        "channel.bus.bootstrap.servers=127.0.0.1:9",
                        "channel.bus.topic=" + topic))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("in channel.bus.: ")
                .hasMessageContaining(topic + " for configuration topic: is a topic of Weir's");
    }

    @Test
    void shouldLetTriggersPublishOnTopicsOfOthers() {
        NotifierConfig config = read(
                "notifier.actions=event",
                "action.event.bootstrap.servers=127.0.0.1:9",
                "action.event.topics=hpc-events,weird");

        assertThat(config.actors()).extracting(ActorConfig::type).containsExactly("event");
    }

    private static NotifierConfig read(String... settings) {
        Map<String, String> all = new HashMap<>();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            all.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        all.put("kafka.bootstrap.servers", "127.0.0.1:9");
        all.put("registry.url", "mock://config");
        return NotifierConfig.from(ServiceConfig.of(NotifierConfig.definition(), all), PROVIDERS, ACTORS, Map.of());
    }
}
