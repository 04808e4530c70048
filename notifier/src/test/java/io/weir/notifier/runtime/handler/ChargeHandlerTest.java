package io.weir.notifier.runtime.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.notifier.runtime.loop.LoopFixture;
import io.weir.notifier.runtime.loop.Outgoing;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.runtime.loop.Step;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.Charges;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Charge;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the scheduler hears of charges that are not taken. */
class ChargeHandlerTest {
    private static final RetrySchedule SCHEDULE =
            new RetrySchedule(3, Duration.ofSeconds(10), 2, Duration.ofMinutes(5));

    private final LoopFixture kafka = new LoopFixture();
    private final Peer peer = new Peer();
    private final ChargeHandler handler = new ChargeHandler(
            "am",
            peer,
            SCHEDULE,
            kafka.codec,
            new DeadLetterFactory(LoopFixture.NAMES),
            new NotifierMetrics(new SimpleMeterRegistry()).of("am"),
            kafka.clock);

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void shouldTellOfAPeerThatIsAwayAtTheFirstAttempt() throws Exception {
        peer.away = true;

        assertThat(told("c/1", 1)).singleElement().satisfies(result -> {
            assertThat(result.getKind()).isEqualTo("charge");
            assertThat(result.getDeliveryId()).isEqualTo("c/1");
            assertThat(result.getChannel()).isEqualTo("am");
            assertThat(result.getOutcome()).isEqualTo(DeliveryOutcome.FAILED);
            assertThat(result.getMessage()).isEqualTo("no space left");
        });
        assertThat(told("c/1", 2)).isEmpty();
        assertThat(told("c/1", 3)).extracting(DeliveryResult::getOutcome).containsExactly(DeliveryOutcome.DEAD);
    }

    @Test
    void shouldNotTellOfEveryChargeThatWaits() throws Exception {
        peer.away = true;
        assertThat(told("c/1", 1)).hasSize(1);
        peer.away = false;
        assertThat(told("c/1", 2)).isEmpty();

        peer.away = true;
        assertThat(told("c/2", 1)).isEmpty();
        kafka.clock.advance(Duration.ofMinutes(11));
        assertThat(told("c/3", 1)).hasSize(1);
    }

    @Test
    void shouldTellOfAnOutageThatBeganSoonAfterAnotherWhenTheTimeIsOver() throws Exception {
        peer.away = true;
        assertThat(told("c/1", 1)).hasSize(1);
        peer.away = false;
        assertThat(told("c/1", 2)).isEmpty();

        peer.away = true;
        kafka.clock.advance(Duration.ofMinutes(1));
        assertThat(told("c/2", 1)).isEmpty();
        kafka.clock.advance(Duration.ofMinutes(10));
        assertThat(told("c/2", 2)).hasSize(1);
        kafka.clock.advance(Duration.ofMinutes(11));
        assertThat(told("c/2", 3)).extracting(DeliveryResult::getOutcome).containsExactly(DeliveryOutcome.DEAD);
    }

    /** A process that comes after a kill knows what had begun by what is recorded of it. */
    @Test
    void shouldTellThePeerThatAnEarlierAttemptMayHaveBegun() throws Exception {
        assertThat(handler.needsMark(charge("c/1"))).isFalse();
        peer.marked = true;
        assertThat(handler.needsMark(charge("c/1"))).isTrue();

        handler.handle(charge("c/1"), 1, false);
        handler.handle(charge("c/2"), 1, true);

        assertThat(peer.again).containsExactly("c/2");
    }

    private ConsumerRecord<byte[], byte[]> charge(String id) {
        byte[] value = kafka.codec.encode(Topics.CHARGES, Charges.hour(id).build());
        return new ConsumerRecord<>(LoopFixture.NAMES.full(Topics.CHARGES), 0, 0, new byte[0], value);
    }

    private List<DeliveryResult> told(String id, int attempt) throws InterruptedException {
        Step step = handler.handle(charge(id), attempt, false);
        List<Outgoing<?>> outputs =
                step instanceof Step.Retry retry ? retry.outputs() : ((Step.Settled) step).outputs();
        return outputs.stream()
                .map(Outgoing::value)
                .filter(DeliveryResult.class::isInstance)
                .map(DeliveryResult.class::cast)
                .toList();
    }

    private static final class Peer implements ChargePeer {
        private final List<String> again = new ArrayList<>();
        private boolean away;
        private boolean marked;

        @Override
        public boolean needsMark() {
            return marked;
        }

        @Override
        public Receipt bookAgain(Charge charge) throws DeliveryException {
            again.add(charge.getChargeId());
            return book(charge);
        }

        @Override
        public Receipt book(Charge charge) throws DeliveryException {
            if (away) {
                throw new RetriableDeliveryException("no space left");
            }
            return new Receipt("booked");
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
