package io.weir.notifier.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.spi.ChargeForm;
import io.weir.notifier.spi.Charges;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Charge;
import io.weir.topics.AvroTrust;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ChargeTopicTest {

    private MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final ChargeTopic peer =
            new ChargeTopic("accounts", new TopicWriter(() -> producer, Duration.ofSeconds(5)));

    @BeforeAll
    static void trust() {
        AvroTrust.install();
    }

    @Test
    void shouldWriteACloudEventThatIsTheSameWhenItComesAgain() throws Exception {
        Charge charge = Charges.hour("job.42.1").build();
        peer.book(charge);
        peer.book(charge);

        assertThat(producer.history()).hasSize(2).allSatisfy(record -> {
            assertThat(record.topic()).isEqualTo("accounts");
            assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("tiny/job/42");
            assertThat(new String(record.value(), StandardCharsets.UTF_8))
                    .isEqualTo(ChargeForm.cloudEvent(charge))
                    .contains("\"id\":\"job.42.1\"");
            assertThat(new String(record.headers().lastHeader("content-type").value(), StandardCharsets.UTF_8))
                    .isEqualTo("application/cloudevents+json");
        });
    }

    @Test
    void shouldTellWhatNeverSucceedsFromWhatMaySucceedLater() {
        Charge charge = Charges.hour("job.42.1").build();
        producer.sendException = new UnknownTopicOrPartitionException("gone");
        assertThatThrownBy(() -> peer.book(charge)).isInstanceOf(RetriableDeliveryException.class);
        producer = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        producer.sendException = new RecordTooLargeException("too large");
        assertThatThrownBy(() -> peer.book(charge))
                .isInstanceOf(DeliveryException.class)
                .isNotInstanceOf(RetriableDeliveryException.class);
    }
}
