package io.weir.notifier.runtime;

import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import io.weir.topics.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * One type of actions that this notifier carries out, checked. Immutable.
 *
 * @param type the type
 * @param provider what it is opened with
 * @param settings the provider's settings and the retry schedule
 * @param retry when an action that has had no effect is tried again
 */
public record ActorConfig(String type, ActorProvider provider, AbstractConfig settings, RetrySchedule retry) {

    /** Three attempts, ten seconds apart: a trigger has retries of its own. */
    public static final RetrySchedule RETRY =
            new RetrySchedule(3, java.time.Duration.ofSeconds(10), 1, java.time.Duration.ofSeconds(10));

    /** Opens an actor for each lane; settings that cannot be used are said with their place. */
    List<Actor> open() {
        List<Actor> actors = new ArrayList<>();
        for (int lane = 0; lane < provider.lanes(); lane++) {
            actors.add(Section.of("action", type, "notifier.actions").read(() -> provider.open(settings)));
        }
        return List.copyOf(actors);
    }

    /**
     * Refuses topics that are Weir's own, whatever is to be written there.
     *
     * @throws ConfigException naming the first
     */
    static void requireOthers(String key, List<String> topics, TopicNames names) {
        for (String topic : topics) {
            boolean below = !names.prefix().isEmpty() && topic.startsWith(names.prefix());
            if (below || topic.startsWith("__") || names.topic(topic).isPresent()) {
                throw new ConfigException(
                        key, topic, "is a topic of Weir's or of the broker's own; name one that is for others");
            }
        }
    }

    /** Reads the settings {@code given} of the type {@code type}, without {@code action.TYPE.}. */
    static ActorConfig parse(String type, Map<String, String> given, Map<String, ActorProvider> providers) {
        ActorProvider provider = providers.get(type);
        if (provider == null) {
            throw new ConfigException(
                    "notifier.actions", type, "there is no such type of actions; there are " + providers.keySet());
        }
        ConfigDef definition = RetrySchedule.define(new ConfigDef(), "", RETRY);
        provider.settings(given.keySet()).configKeys().values().forEach(definition::define);
        AbstractConfig settings = Section.parse(definition, given);
        return new ActorConfig(type, provider, settings, RetrySchedule.from("", settings::getInt));
    }
}
