package io.weir.notifier.kafka;

import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.ActorProvider;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Actions of type {@code event}: JSON records on topics that the settings list, and on no others. Stateless. */
public final class EventActorProvider implements ActorProvider {

    static final String TOPICS = "topics";

    private static final ConfigDef SETTINGS = WriterSettings.defineClient(WriterSettings.defineBrokers(new ConfigDef())
            .define(
                    TOPICS,
                    Type.LIST,
                    List.of(),
                    ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                    Importance.HIGH,
                    "Topics to which triggers may publish; any other is refused. They must exist, and none may"
                            + " be Weir's own."));

    @Override
    public String actionType() {
        return "event";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public List<String> topics(AbstractConfig settings) {
        return settings.getList(TOPICS);
    }

    @Override
    public Actor open(AbstractConfig settings) {
        List<String> topics = settings.getList(TOPICS);
        topics.forEach(topic -> WriterSettings.requireTopic(TOPICS, topic));
        return new EventActor(Set.copyOf(topics), WriterSettings.open("weir-notifier-action-event", settings));
    }
}
