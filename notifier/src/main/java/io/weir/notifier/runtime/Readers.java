package io.weir.notifier.runtime;

import io.weir.notifier.runtime.handler.ChargeHandler;
import io.weir.notifier.runtime.handler.DeadLetterFactory;
import io.weir.notifier.runtime.handler.DeliveryHandler;
import io.weir.notifier.runtime.handler.FaultBarrier;
import io.weir.notifier.runtime.handler.FiringHandler;
import io.weir.notifier.runtime.handler.FiringReader;
import io.weir.notifier.runtime.handler.FiringTypes;
import io.weir.notifier.runtime.handler.IntakeHandler;
import io.weir.notifier.runtime.handler.NotificationReader;
import io.weir.notifier.runtime.handler.NotifierMetrics;
import io.weir.notifier.runtime.loop.LoopThread;
import io.weir.notifier.runtime.loop.RecordHandler;
import io.weir.notifier.runtime.loop.RecordLoop;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.runtime.loop.SettlementHistory;
import io.weir.notifier.runtime.loop.SettlementLog;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.Notifier;
import io.weir.service.ServiceContext;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The readers of one running notifier: starts them and drains them together. Owned by the service's starting thread. */
final class Readers {

    /** What closing the clients may take on top of the deliveries in hand. */
    static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(Readers.class);
    private static final Duration STOP_ORDERS_WAIT = Duration.ofSeconds(30);

    /** The only type of action that takes long enough to be ended. */
    private static final String ENDABLE = "exec";

    private static final String INTAKE = "intake";

    private final ServiceContext context;
    private final NotifierConfig config;
    private final TopicNames names;
    private final AvroCodec codec;
    private final Clock clock;
    private final KafkaClients clients;
    private final NotificationReader reader;
    private final DeadLetterFactory deadLetterFactory;
    private final NotifierMetrics metrics;
    private final WrittenOutcomes outcomes;
    private final List<LoopThread> threads = new ArrayList<>();
    private final List<StopOrders> stopOrders = new ArrayList<>();

    Readers(ServiceContext context, NotifierConfig config, TopicNames names, AvroCodec codec, Clock clock) {
        this.clock = clock;
        this.context = context;
        this.config = config;
        this.names = names;
        this.codec = codec;
        this.clients = new KafkaClients(context.config(), names, config.instance());
        this.reader = new NotificationReader(codec);
        this.deadLetterFactory = new DeadLetterFactory(names);
        this.metrics = new NotifierMetrics(context.meters());
        this.outcomes = new WrittenOutcomes(clients::scanner, names, codec);
    }

    /** Starts the reader that sees to what no channel can deliver. */
    void startIntake(Duration registryWait) {
        start(INTAKE, outcomes.ofIntake(), new IntakeHandler(reader, deadLetterFactory, metrics, registryWait));
    }

    /** Starts the reader of {@code channel}, which closes {@code notifier} at its end. */
    void startChannel(ChannelConfig channel, Notifier notifier) {
        start(
                ofChannel(channel.name()),
                outcomes.ofChannel(channel.name(), reader),
                new DeliveryHandler(
                        channel.name(),
                        notifier,
                        reader,
                        config.routing(),
                        channel.retry(),
                        channel.pace(),
                        deadLetterFactory,
                        metrics.of(channel.name()),
                        clock));
    }

    /**
     * Starts a reader of trigger firings for each lane of each known type, and one for all other types.
     *
     * @param lanes how many lanes each known type has
     * @param actors of each type that is carried out one for each lane, closed by their readers; the others are refused
     */
    void startActions(Map<String, Integer> lanes, Map<String, List<Actor>> actors) {
        Map<String, RetrySchedule> schedules =
                config.actors().stream().collect(Collectors.toMap(ActorConfig::type, ActorConfig::retry));
        FiringReader firings = new FiringReader(codec);
        if (actors.containsKey(ENDABLE)) {
            followStopOrders(lanes, firings, actors.get(ENDABLE));
        }
        for (String type : Stream.concat(lanes.keySet().stream(), Stream.of("")).toList()) {
            for (FiringTypes each : lanesOf(lanes, type)) {
                start(
                        Topics.TRIGGER_FIRINGS,
                        each.reader(),
                        outcomes.ofFirings(each, firings),
                        new FiringHandler(
                                each,
                                Optional.ofNullable(actors.get(type)).map(one -> one.get(each.lane())),
                                schedules.getOrDefault(type, ActorConfig.RETRY),
                                firings,
                                deadLetterFactory,
                                metrics,
                                clock));
            }
        }
    }

    private static List<FiringTypes> lanesOf(Map<String, Integer> lanes, String type) {
        int count = lanes.getOrDefault(type, 1);
        return IntStream.range(0, count)
                .mapToObj(lane -> new FiringTypes(lanes.keySet(), type, lane, count))
                .toList();
    }

    /** Before any action is begun: what was to end before this process began is not begun by it. */
    private synchronized void followStopOrders(Map<String, Integer> lanes, FiringReader firings, List<Actor> actors) {
        List<Supplier<Consumer<byte[], byte[]>>> followers = new ArrayList<>();
        for (FiringTypes each : lanesOf(lanes, ENDABLE)) {
            followers.add(() -> clients.follower(each.reader()));
        }
        StopOrders orders = new StopOrders(
                followers,
                names.full(Topics.TRIGGER_FIRINGS),
                firings,
                id -> actors.forEach(actor -> actor.stop(id)),
                context.readiness().declare("stop-orders"));
        stopOrders.add(orders);
        if (!orders.start(STOP_ORDERS_WAIT)) {
            log.warn("orders to end programs are still being read; a program that was to end may be begun until then");
        }
    }

    /** Starts the reader that hands charges to {@code config}'s peer, and closes {@code peer} at its end. */
    void startPeer(PeerConfig config, ChargePeer peer) {
        String name = "peer." + config.name();
        start(
                Topics.CHARGES,
                name,
                outcomes.ofCharges(),
                new ChargeHandler(name, peer, config.retry(), codec, deadLetterFactory, metrics.of(name), clock));
    }

    /** Returns the name of the reader of {@code channel}. */
    static String ofChannel(String channel) {
        return "channel." + channel;
    }

    /** Lets every reader finish what it has in hand, {@code limit} at the longest, and waits for their end. */
    synchronized void drain(Duration limit) throws InterruptedException {
        threads.forEach(LoopThread::stop);
        long deadline = System.nanoTime() + limit.toNanos();
        for (LoopThread thread : threads) {
            if (!thread.join(Duration.ofNanos(deadline - System.nanoTime()))) {
                thread.breakOff();
            }
        }
        for (StopOrders orders : stopOrders) {
            orders.close();
        }
        for (LoopThread thread : threads) {
            if (!thread.join(CLOSE_LIMIT)) {
                throw new IllegalStateException(
                        thread + " does not end; its clients are left to the end of the process");
            }
        }
    }

    private void start(String name, SettlementHistory history, RecordHandler handler) {
        start(Topics.NOTIFICATIONS, name, history, handler);
    }

    private synchronized void start(Topic<?> topic, String name, SettlementHistory history, RecordHandler handler) {
        RecordLoop loop = new RecordLoop(
                names.full(topic),
                clients.consumer(name),
                config.firstPosition(),
                history,
                new SettlementLog(() -> clients.producer(name)),
                names,
                codec,
                new FaultBarrier(handler, deadLetterFactory),
                context.readiness().declare(name),
                clock);
        threads.add(LoopThread.start(name, loop, context.lifecycle()));
    }
}
