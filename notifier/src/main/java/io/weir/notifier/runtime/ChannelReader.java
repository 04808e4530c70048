package io.weir.notifier.runtime;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.notifier.runtime.handler.DeadLetterFactory;
import io.weir.notifier.runtime.handler.DeliveryHandler;
import io.weir.notifier.runtime.handler.FaultBarrier;
import io.weir.notifier.runtime.handler.NotificationReader;
import io.weir.notifier.runtime.handler.NotifierMetrics;
import io.weir.notifier.runtime.handler.Pace;
import io.weir.notifier.runtime.handler.Routing;
import io.weir.notifier.runtime.loop.FirstPosition;
import io.weir.notifier.runtime.loop.RecordLoop;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.runtime.loop.SettlementLog;
import io.weir.notifier.spi.Notifier;
import io.weir.service.Readiness;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Clock;
import java.util.List;

/**
 * The reader of one channel for a host that has clients, a clock and a thread of its own: what {@link NotifierService} runs
 * for each channel, from its first position to its last transaction. Owned by the thread that calls {@link #step}.
 */
public final class ChannelReader implements AutoCloseable {
    private final RecordLoop loop;

    /** Joins the group of {@code channel}, to which everything on the topic goes; closes {@code notifier} at its end. */
    public ChannelReader(
            String channel,
            Notifier notifier,
            RetrySchedule retry,
            NotifierClients clients,
            TopicNames names,
            AvroCodec codec,
            Clock clock) {
        String reader = Readers.ofChannel(channel);
        NotificationReader notifications = new NotificationReader(codec);
        DeadLetterFactory deadLetterFactory = new DeadLetterFactory(names);
        DeliveryHandler handler = new DeliveryHandler(
                channel,
                notifier,
                notifications,
                new Routing(List.of()),
                retry,
                Pace.NONE,
                deadLetterFactory,
                new NotifierMetrics(new SimpleMeterRegistry()).of(channel),
                clock);
        this.loop = new RecordLoop(
                names.full(Topics.NOTIFICATIONS),
                clients.consumer(reader),
                FirstPosition.EARLIEST,
                new WrittenOutcomes(clients::scanner, names, codec).ofChannel(channel, notifications),
                new SettlementLog(() -> clients.producer(reader)),
                names,
                codec,
                new FaultBarrier(handler, deadLetterFactory),
                new Readiness().declare(reader),
                clock);
    }

    /**
     * Goes one step, which takes a fraction of a second unless a delivery takes longer.
     *
     * @return whether nothing failed; after a failure the next step should wait a little
     * @throws org.apache.kafka.common.KafkaException when this process was replaced by another with the same instance id
     */
    public boolean step() throws InterruptedException {
        return loop.step();
    }

    @Override
    public void close() {
        loop.close();
    }
}
