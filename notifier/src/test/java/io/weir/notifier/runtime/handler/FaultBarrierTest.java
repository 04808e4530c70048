package io.weir.notifier.runtime.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.notifier.runtime.loop.RecordHandler;
import io.weir.notifier.runtime.loop.Step;
import io.weir.schemas.DeadLetter;
import io.weir.topics.FactHeaders;
import io.weir.topics.TopicNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class FaultBarrierTest {
    private final FaultyHandler handler = new FaultyHandler();
    private final FaultBarrier barrier =
            new FaultBarrier(handler, new DeadLetterFactory(new TopicNames(TopicNames.DEFAULT_PREFIX)));

    @Test
    void shouldGiveUpTheRecordThatMeetsAFault() throws Exception {
        handler.fault = new IllegalArgumentException("duplicate element: root");

        Step step = barrier.handle(record(7), 1, false);

        assertThat(letters(step)).singleElement().satisfies(letter -> {
            assertThat(letter.getCause()).isEqualTo("FAULT");
            assertThat(letter.getOffset()).isEqualTo(7);
            assertThat(letter.getMessage()).contains("duplicate element: root");
        });
    }

    @Test
    void shouldGiveUpAllThatWereHeldTogether() throws Exception {
        handler.fault = new IllegalStateException("by the test");

        assertThat(letters(barrier.release(List.of(record(7), record(9)), 1, false)))
                .extracting(DeadLetter::getOffset)
                .containsExactly(7L, 9L);
    }

    @Test
    void shouldNameTheChannelThatMetTheFaultSoThatOthersDoNotGetTheRecordAgain() throws Exception {
        handler.fault = new IllegalStateException("by the test");
        handler.channel = "mail";

        assertThat(letters(barrier.handle(record(7), 1, false)).get(0).getHeaders())
                .anySatisfy(header -> {
                    assertThat(header.getName()).isEqualTo(FactHeaders.CHANNEL.name());
                    assertThat(header.getValue()).isEqualTo(ByteBuffer.wrap("mail".getBytes(StandardCharsets.UTF_8)));
                });
        assertThat(barrier.channel()).isEqualTo("mail");
    }

    @Test
    void shouldLeaveWhatQuestionsMeetToTheHandling() {
        handler.fault = new IllegalStateException("by the test");

        assertThat(barrier.needsMark(record(1))).isFalse();
        assertThat(barrier.wants(record(1))).isFalse();
    }

    @Test
    void shouldPassOnWhatKafkaThrows() {
        handler.fault = new InterruptException("by the test");

        assertThatThrownBy(() -> barrier.handle(record(1), 1, false)).isSameAs(handler.fault);
        assertThatThrownBy(() -> barrier.release(List.of(record(1)), 1, false)).isSameAs(handler.fault);
        assertThatThrownBy(() -> barrier.needsMark(record(1))).isSameAs(handler.fault);
        assertThat(Thread.interrupted()).as("set by the exception").isTrue();
    }

    @Test
    void shouldChangeNothingOtherwise() throws Exception {
        assertThat(barrier.handle(record(1), 2, true)).isEqualTo(Step.Settled.silently());
        assertThat(barrier.needsMark(record(1))).isTrue();
        assertThat(barrier.wants(record(1))).isTrue();
        assertThat(barrier.mostHeld()).isEqualTo(5);
        assertThat(barrier.holdsOn()).isTrue();
        assertThat(barrier.isBusy()).isTrue();

        barrier.close();
        assertThat(handler.closed).isTrue();
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset) {
        return new ConsumerRecord<>(
                "weir.notifications", 0, offset, "c1".getBytes(StandardCharsets.UTF_8), new byte[] {1});
    }

    private static List<DeadLetter> letters(Step step) {
        return ((Step.Settled) step)
                .outputs().stream().map(output -> (DeadLetter) output.value()).toList();
    }

    /** Fails in all it is asked while it has a fault. */
    private static final class FaultyHandler implements RecordHandler {
        private RuntimeException fault;
        private String channel;
        private boolean closed;

        private void meet() {
            if (fault != null) {
                throw fault;
            }
        }

        @Override
        public Step handle(ConsumerRecord<byte[], byte[]> record, int attempt, boolean repeated) {
            meet();
            return Step.Settled.silently();
        }

        @Override
        public Step release(List<ConsumerRecord<byte[], byte[]>> records, int attempt, boolean repeated) {
            meet();
            return Step.Settled.silently();
        }

        @Override
        public boolean needsMark(ConsumerRecord<byte[], byte[]> record) {
            meet();
            return true;
        }

        @Override
        public boolean wants(ConsumerRecord<byte[], byte[]> record) {
            meet();
            return true;
        }

        @Override
        public int mostHeld() {
            return 5;
        }

        @Override
        public boolean holdsOn() {
            return true;
        }

        @Override
        public String channel() {
            return channel;
        }

        @Override
        public boolean isBusy() {
            return true;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
