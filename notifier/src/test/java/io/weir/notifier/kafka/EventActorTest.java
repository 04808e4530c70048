package io.weir.notifier.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actions;
import io.weir.notifier.spi.RetriableDeliveryException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventActorTest {

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final EventActor actor =
            new EventActor(Set.of("site-events"), new TopicWriter(() -> producer, Duration.ofSeconds(5)));

    private static Action action(String topic) {
        return Actions.of("event", topic, Map.of(), "a \"fan\" stopped\nand another");
    }

    @Test
    void shouldPublishTheEventWithTheHeadersOfACloudEvent() throws Exception {
        ActionResult result = actor.carryOut(action("site-events"));

        assertThat(result.outcome()).isEqualTo(ActionResult.Outcome.DONE);
        assertThat(producer.history()).singleElement().satisfies(record -> {
            assertThat(record.topic()).isEqualTo("site-events");
            assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("tiny/node/n1");
            assertThat(new String(record.value(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"id\":\"tiny/7/0\",\"cluster\":\"tiny\",\"time\":\"2026-03-01T10:00:00.250Z\","
                            + "\"severity\":\"error\",\"trigger\":\"NODECFG.n1.1@node:n1\",\"event\":\"sick\","
                            + "\"objectType\":\"node\",\"objectId\":\"n1\",\"owner\":\"ann\","
                            + "\"message\":\"a \\\"fan\\\" stopped\\nand another\"}");
            assertThat(headers(record))
                    .containsEntry("ce_id", "tiny/7/0")
                    .containsEntry("ce_type", "io.weir.trigger.sick")
                    .containsEntry("ce_source", "/weir/tiny")
                    .containsEntry("ce_subject", "node/n1")
                    .containsEntry("content-type", "application/json");
        });
    }

    @Test
    void shouldSayTheSameWhenItIsCarriedOutAgain() throws Exception {
        actor.carryOut(action("site-events"));
        actor.carryOut(Action.of(
                Actions.firing("event", "site-events", Map.of(), "a \"fan\" stopped\nand another")
                        .build(),
                true));

        assertThat(actor.repeatable()).isTrue();
        assertThat(producer.history()).hasSize(2);
        ProducerRecord<byte[], byte[]> first = producer.history().get(0);
        ProducerRecord<byte[], byte[]> second = producer.history().get(1);
        assertThat(second.value()).isEqualTo(first.value());
        assertThat(headers(second)).isEqualTo(headers(first));
    }

    @ParameterizedTest
    @ValueSource(strings = {"other", "SITE-EVENTS", "", "weir.trigger-firings", "site-events "})
    void shouldRefuseTopicsThatAreNotListed(String topic) throws Exception {
        ActionResult result = actor.carryOut(action(topic));

        assertThat(result.outcome()).isEqualTo(ActionResult.Outcome.REFUSED);
        assertThat(result.message()).contains("action.event.topics", "GEVENTCFG");
        assertThat(producer.history()).isEmpty();
    }

    @Test
    void shouldTellWhatNeverSucceedsFromWhatMaySucceedLater() throws Exception {
        producer.sendException = new UnknownTopicOrPartitionException("gone");
        assertThatThrownBy(() -> actor.carryOut(action("site-events")))
                .isInstanceOf(RetriableDeliveryException.class)
                .hasMessageContaining("site-events");
        MockProducer<byte[], byte[]> full =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        full.sendException = new RecordTooLargeException("too large");
        try (EventActor other = new EventActor(Set.of("t"), new TopicWriter(() -> full, Duration.ofSeconds(5)))) {
            assertThat(other.carryOut(action("t")).outcome()).isEqualTo(ActionResult.Outcome.FAILED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "..", "a/b"})
    void shouldNotOpenWithWhatIsNoTopic(String topic) {
        EventActorProvider provider = new EventActorProvider();
        AbstractConfig settings = new AbstractConfig(
                provider.settings(),
                Map.of(WriterSettings.BOOTSTRAP, "127.0.0.1:9", EventActorProvider.TOPICS, topic),
                false);
        assertThatThrownBy(() -> provider.open(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("topics");
    }

    private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new TreeMap<>();
        record.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return headers;
    }
}
