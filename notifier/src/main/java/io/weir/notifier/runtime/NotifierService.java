package io.weir.notifier.runtime;

import io.weir.notifier.runtime.handler.StopActor;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.ChargePeerProvider;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import io.weir.service.Service;
import io.weir.service.ServiceConfig;
import io.weir.service.ServiceContext;
import io.weir.topics.AvroCodec;
import io.weir.topics.BrokerPatience;
import io.weir.topics.BrokerRequirements;
import io.weir.topics.Grant;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicProvisioner;
import io.weir.topics.TopicSettings;
import io.weir.topics.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigDef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The notifier: one reader of the notifications per channel, each on a thread and in a group of its own, so that no
 * channel waits for another, and one more reader that sees to what no channel can deliver. Started once.
 */
public final class NotifierService implements Service {

    private static final Logger log = LoggerFactory.getLogger(NotifierService.class);
    private static final Duration CODEC_CLOSE_LIMIT = Duration.ofSeconds(2);

    private static final List<Topic<?>> WRITTEN = List.of(Topics.DELIVERY_RESULTS, Topics.DEAD_LETTERS);

    /** With what it wrote, which tells it where it was when the broker has forgotten that. */
    private static final List<Topic<?>> READ = List.of(
            Topics.NOTIFICATIONS, Topics.TRIGGER_FIRINGS, Topics.CHARGES, Topics.DELIVERY_RESULTS, Topics.DEAD_LETTERS);

    private static final Duration REGISTRY_WAIT = Duration.ofSeconds(5);

    private final Map<String, NotifierProvider> providers = new TreeMap<>();
    private final Map<String, ActorProvider> actorProviders = new TreeMap<>();
    private final Map<String, ChargePeerProvider> peerProviders = new TreeMap<>();

    private final Clock clock;

    /** Makes a notifier with the channels found on the class path. */
    public NotifierService() {
        this(Clock.systemUTC());
    }

    /** Makes a notifier that goes by {@code clock} for its waits, its digests and its quiet hours. */
    public NotifierService(Clock clock) {
        this.clock = clock;
        ServiceLoader.load(NotifierProvider.class).forEach(provider -> providers.put(provider.type(), provider));
        ServiceLoader.load(ActorProvider.class)
                .forEach(provider -> actorProviders.put(provider.actionType(), provider));
        ServiceLoader.load(ChargePeerProvider.class).forEach(provider -> peerProviders.put(provider.type(), provider));
    }

    /** Returns what the notifier does on a broker. */
    public static List<Grant> grants(TopicNames names) {
        List<Grant> grants = new ArrayList<>(Grant.reading(names, READ));
        grants.addAll(Grant.writing(names, WRITTEN));
        grants.add(Grant.groups(KafkaClients.prefix(names)));
        grants.add(Grant.transactions(KafkaClients.prefix(names)));
        return grants;
    }

    @Override
    public String name() {
        return "notifier";
    }

    @Override
    public ConfigDef definition() {
        return NotifierConfig.definition();
    }

    @Override
    public void start(ServiceContext context) {
        ServiceConfig settings = context.config();
        NotifierConfig config = NotifierConfig.from(settings, providers, actorProviders, peerProviders);
        Map<ChannelConfig, Notifier> channels = open(config.channels());
        Map<String, List<Actor>> actors = new TreeMap<>();
        config.actors().forEach(actor -> actors.put(actor.type(), actor.open()));
        Map<PeerConfig, ChargePeer> peers = new LinkedHashMap<>();
        config.peers().forEach(peer -> peers.put(peer, peer.open()));
        TopicSettings topics = TopicSettings.from(settings);
        provision(settings, topics);
        AvroCodec codec = new AvroCodec(topics.names(), settings.registry());
        context.lifecycle().onClose("codec", CODEC_CLOSE_LIMIT, codec);
        context.readiness().declare("registry", codec::registryObstacle);
        Readers readers = new Readers(context, config, topics.names(), codec, clock);
        context.lifecycle()
                .onClose(
                        "readers",
                        config.drain().plus(Readers.CLOSE_LIMIT.multipliedBy(2)),
                        () -> readers.drain(config.drain()));
        readers.startIntake(REGISTRY_WAIT);
        channels.forEach(readers::startChannel);
        Map<String, Integer> lanes = new TreeMap<>();
        actorProviders.forEach((type, provider) -> lanes.put(type, provider.lanes()));
        lanes.put(StopActor.TYPE, 1);
        List<Actor> others = actors.values().stream().flatMap(List::stream).toList();
        actors.put(StopActor.TYPE, List.of(new StopActor(others)));
        readers.startActions(lanes, actors);
        peers.forEach(readers::startPeer);
        if (channels.isEmpty()) {
            log.warn("no channels: notifications are read by nobody; name some in notifier.channels");
        }
    }

    /** Opens all channels before anything else: what is wrong with one shows before anything runs. */
    private static Map<ChannelConfig, Notifier> open(List<ChannelConfig> configs) {
        Map<ChannelConfig, Notifier> channels = new LinkedHashMap<>();
        for (ChannelConfig config : configs) {
            channels.put(config, config.open());
        }
        return channels;
    }

    private static void provision(ServiceConfig settings, TopicSettings topics) {
        try (Admin admin = BrokerPatience.connect(settings.admin())) {
            BrokerRequirements.check(admin);
            new TopicProvisioner(admin, topics).provision(READ);
        }
    }
}
