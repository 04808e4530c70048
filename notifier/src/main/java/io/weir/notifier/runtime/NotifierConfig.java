package io.weir.notifier.runtime;

import io.weir.notifier.runtime.handler.Routing;
import io.weir.notifier.runtime.handler.RoutingRule;
import io.weir.notifier.runtime.loop.FirstPosition;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.spi.ActorProvider;
import io.weir.notifier.spi.ChargePeerProvider;
import io.weir.notifier.spi.NotifierProvider;
import io.weir.service.ServiceConfig;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * The notifier's settings, checked. Channels and routes are named in lists, and each has settings of its own below
 * {@code channel.NAME.} and {@code route.NAME.}. Immutable.
 *
 * @param instance name of this process among those that share the work
 * @param firstPosition where a channel begins that never read before
 * @param drain how long the deliveries in hand may take when the process is asked to stop
 * @param channels the channels, in the order of the list
 * @param routing which channel gets what
 * @param actors the types of actions that are carried out
 * @param peers to whom charges are handed
 */
record NotifierConfig(
        String instance,
        FirstPosition firstPosition,
        Duration drain,
        List<ChannelConfig> channels,
        Routing routing,
        List<ActorConfig> actors,
        List<PeerConfig> peers) {

    private static final String PREFIX = "notifier.";
    private static final String CHANNELS = "notifier.channels";
    private static final String ROUTES = "notifier.routes";
    private static final String ACTIONS = "notifier.actions";
    private static final String PEERS = "notifier.peers";
    private static final String INSTANCE = "notifier.instance";
    private static final String FIRST_POSITION = "notifier.first.position";
    private static final String DRAIN_MS = "notifier.drain.ms";

    NotifierConfig {
        channels = List.copyOf(channels);
        actors = List.copyOf(actors);
        peers = List.copyOf(peers);
    }

    /** Returns all settings whose names are fixed: those of every service, of the topics, and the notifier's own. */
    static ConfigDef definition() {
        return define(TopicSettings.define(ServiceConfig.baseDefinition()));
    }

    /** Adds the notifier's own settings with fixed names to {@code definition}. */
    static ConfigDef define(ConfigDef definition) {
        definition
                .define(
                        CHANNELS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.HIGH,
                        "Names of the channels, in lower-case letters, digits and `-`. The position in the topic is"
                                + " kept under this name: a channel that is added again under its old name continues"
                                + " where it stopped.")
                .define(
                        ROUTES,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.HIGH,
                        "Names of the routing rules. A channel gets every notification that any rule sends to it."
                                + " Without rules, every channel gets everything.")
                .define(
                        ACTIONS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.HIGH,
                        "Types of trigger actions to carry out, such as `mail` and `exec`; each has its settings under"
                                + " `action.TYPE.`. Actions of other types are refused.")
                .define(
                        PEERS,
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.HIGH,
                        "Names of the peers that receive every charge; each has its settings under `peer.NAME.`.")
                .define(
                        INSTANCE,
                        Type.STRING,
                        "0",
                        ConfigDef.LambdaValidator.with(
                                (key, name) -> Section.requireName(key, String.valueOf(name)),
                                () -> "lower-case letters, digits and '-'"),
                        Importance.MEDIUM,
                        "Name of this process among those that share the work: unchanged by a restart, and unique"
                                + " among running processes.")
                .define(
                        FIRST_POSITION,
                        Type.STRING,
                        "earliest",
                        ConfigDef.CaseInsensitiveValidString.in("earliest", "latest"),
                        Importance.MEDIUM,
                        "Where a new channel begins: with everything the topic still holds (`earliest`), or with new"
                                + " records only (`latest`).")
                .define(
                        DRAIN_MS,
                        Type.INT,
                        20_000,
                        ConfigDef.Range.atLeast(0),
                        Importance.LOW,
                        "How long deliveries in progress may take when the process is asked to stop.");
        return RetrySchedule.define(definition, PREFIX, RetrySchedule.DEFAULT);
    }

    /**
     * Reads the settings.
     *
     * @param providers the kinds of channels there are, by type
     * @param actorProviders the types of actions there are, by name
     * @param peerProviders the kinds of peers there are, by type
     * @throws org.apache.kafka.common.config.ConfigException naming the first that cannot be used
     */
    static NotifierConfig from(
            ServiceConfig config,
            Map<String, NotifierProvider> providers,
            Map<String, ActorProvider> actorProviders,
            Map<String, ChargePeerProvider> peerProviders) {
        Section.requireNoOther(CHANNELS, config.list(CHANNELS), "channel.", config.below("channel."));
        Section.requireNoOther(ACTIONS, config.list(ACTIONS), "action.", config.below("action."));
        Section.requireNoOther(PEERS, config.list(PEERS), "peer.", config.below("peer."));
        Section.requireNoOther(ROUTES, config.list(ROUTES), "route.", config.below("route."));
        RetrySchedule retry = RetrySchedule.from(PREFIX, config::number);
        Map<String, ChannelConfig> channels = new LinkedHashMap<>();
        TopicNames names = TopicSettings.from(config).names();
        for (String name : config.list(CHANNELS)) {
            Section section = Section.of("channel", name, CHANNELS);
            channels.put(name, section.read(() -> {
                ChannelConfig channel = ChannelConfig.parse(name, config.below(section.prefix()), providers, retry);
                ActorConfig.requireOthers("topic", channel.provider().topics(channel.settings()), names);
                return channel;
            }));
        }
        List<RoutingRule> rules = new ArrayList<>();
        for (String name : config.list(ROUTES)) {
            Section section = Section.of("route", name, ROUTES);
            rules.add(section.read(() -> Routing.rule(
                    name, Section.parse(Routing.ruleDefinition(), config.below(section.prefix())), channels.keySet())));
        }
        List<ActorConfig> actors = new ArrayList<>();
        for (String type : config.list(ACTIONS)) {
            Section section = Section.of("action", type, ACTIONS);
            actors.add(section.read(() -> {
                ActorConfig actor = ActorConfig.parse(type, config.below(section.prefix()), actorProviders);
                ActorConfig.requireOthers("topics", actor.provider().topics(actor.settings()), names);
                return actor;
            }));
        }
        List<PeerConfig> peers = new ArrayList<>();
        for (String name : config.list(PEERS)) {
            Section section = Section.of("peer", name, PEERS);
            peers.add(section.read(() -> {
                PeerConfig peer = PeerConfig.parse(name, config.below(section.prefix()), peerProviders);
                ActorConfig.requireOthers("topic", peer.provider().topics(peer.settings()), names);
                return peer;
            }));
        }
        return new NotifierConfig(
                config.text(INSTANCE),
                FirstPosition.valueOf(config.text(FIRST_POSITION).toUpperCase(Locale.ROOT)),
                Duration.ofMillis(config.number(DRAIN_MS)),
                List.copyOf(channels.values()),
                new Routing(rules),
                actors,
                peers);
    }
}
