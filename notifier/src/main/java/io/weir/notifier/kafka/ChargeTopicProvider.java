package io.weir.notifier.kafka;

import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.ChargePeerProvider;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Peers of type {@code kafka}: every charge is a record on a topic. Stateless. */
public final class ChargeTopicProvider implements ChargePeerProvider {

    static final String TOPIC = "topic";

    private static final ConfigDef SETTINGS = WriterSettings.defineClient(WriterSettings.defineBrokers(new ConfigDef())
            .define(
                    TOPIC,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The topic. It must exist, and may not be one of Weir's own."));

    @Override
    public String type() {
        return "kafka";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public List<String> topics(AbstractConfig settings) {
        return List.of(settings.getString(TOPIC));
    }

    @Override
    public ChargePeer open(String peer, AbstractConfig settings) {
        String topic = settings.getString(TOPIC);
        WriterSettings.requireTopic(TOPIC, topic);
        return new ChargeTopic(topic, WriterSettings.open("weir-notifier-charges-" + topic, settings));
    }
}
