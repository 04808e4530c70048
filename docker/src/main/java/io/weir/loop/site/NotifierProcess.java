package io.weir.loop.site;

import io.weir.loop.log.SimulatedLog;
import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import io.weir.notifier.runtime.ChannelReader;
import io.weir.notifier.runtime.KafkaClients;
import io.weir.notifier.runtime.NotifierClients;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/** A notifier with one channel: the real reader, on the simulated log and in virtual time. */
public final class NotifierProcess {
    /** The one channel. */
    public static final String CHANNEL = "all";

    private static final RetrySchedule RETRY = new RetrySchedule(20, Duration.ofMillis(250), 2, Duration.ofSeconds(2));
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);
    private static final Map<String, Object> CLIENTS = Map.of(
            "session.timeout.ms", 6_000,
            "delivery.timeout.ms", 8_000,
            "transaction.timeout.ms", 8_000,
            "max.block.ms", 8_000,
            "default.api.timeout.ms", 8_000);

    private final SimulatedLog log;
    private final Turns turns;
    private final SimulatedProcess process;
    private final AvroCodec codec;
    private final TopicNames names;

    /** Creates a notifier that runs in {@code process}. */
    public NotifierProcess(SimulatedLog log, Turns turns, SimulatedProcess process, AvroCodec codec, TopicNames names) {
        this.log = log;
        this.turns = turns;
        this.process = process;
        this.codec = codec;
        this.names = names;
    }

    /** Runs until its process is killed, or replaced by another of its instance. */
    public void run(Receiver receiver) {
        try (ChannelReader reader = new ChannelReader(
                CHANNEL, receiver.line(process), RETRY, new Clients(), names, codec, new VirtualClock())) {
            while (true) {
                if (!reader.step()) {
                    turns.sleep(PAUSE_AFTER_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts here", e);
        }
    }

    private final class Clients implements NotifierClients {
        private static final String INSTANCE = "1";

        @Override
        public Consumer<byte[], byte[]> consumer(String reader) {
            return log.consumer(process, KafkaClients.consumerSettings(CLIENTS, names, reader, INSTANCE));
        }

        @Override
        public Consumer<byte[], byte[]> scanner() {
            return log.consumer(process, KafkaClients.scannerSettings(CLIENTS, names, INSTANCE));
        }

        @Override
        public Producer<byte[], byte[]> producer(String reader) {
            return log.producer(process, KafkaClients.producerSettings(CLIENTS, names, reader, INSTANCE));
        }
    }

    private final class VirtualClock extends Clock {
        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(process.wallMillis());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("The time is UTC here");
        }
    }
}
