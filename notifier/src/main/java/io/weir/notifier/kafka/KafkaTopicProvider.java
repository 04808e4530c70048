package io.weir.notifier.kafka;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Channels of type {@code kafka}: every delivery is a JSON record on a topic, with CloudEvents headers. Stateless. */
public final class KafkaTopicProvider implements NotifierProvider {

    static final String TOPIC = "topic";

    private static final ConfigDef SETTINGS = WriterSettings.defineClient(WriterSettings.defineBrokers(new ConfigDef())
            .define(
                    TOPIC,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The topic. It must exist."));

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
    public Notifier open(String channel, AbstractConfig settings) {
        String topic = settings.getString(TOPIC);
        WriterSettings.requireTopic(TOPIC, topic);
        return new KafkaTopicNotifier(topic, WriterSettings.open("weir-notifier-" + channel, settings));
    }
}
