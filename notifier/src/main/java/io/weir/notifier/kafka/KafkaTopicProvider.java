package io.weir.notifier.kafka;

import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.NotifierProvider;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/** Channels of type {@code kafka}: every delivery is a JSON record on a topic, with CloudEvents headers. Stateless. */
public final class KafkaTopicProvider implements NotifierProvider {

    static final String BOOTSTRAP = "bootstrap.servers";
    static final String TOPIC = "topic";
    static final String CLIENT_FILE = "client.file";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final int BLOCK_MS = 5_000;

    private static final ConfigDef SETTINGS = new ConfigDef()
            .define(
                    BOOTSTRAP,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "Brokers of the Kafka cluster with the topic.")
            .define(
                    TOPIC,
                    Type.STRING,
                    ConfigDef.NO_DEFAULT_VALUE,
                    new ConfigDef.NonEmptyString(),
                    Importance.HIGH,
                    "The topic. It must exist.")
            .define(
                    CLIENT_FILE,
                    Type.STRING,
                    "",
                    Importance.MEDIUM,
                    "Properties file with further producer settings, such as `security.protocol` and `sasl.*`, so that"
                            + " secrets stay in that file.")
            .define(
                    TIMEOUT_MS,
                    Type.INT,
                    30_000,
                    ConfigDef.Range.between(1_000, 110_000),
                    Importance.LOW,
                    "How long one attempt may take.");

    @Override
    public String type() {
        return "kafka";
    }

    @Override
    public ConfigDef settings() {
        return new ConfigDef(SETTINGS);
    }

    @Override
    public Notifier open(String channel, AbstractConfig settings) {
        Duration timeout = Duration.ofMillis(settings.getInt(TIMEOUT_MS));
        Map<String, Object> producer = new HashMap<>(read(settings.getString(CLIENT_FILE)));
        producer.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.getString(BOOTSTRAP));
        producer.put(ProducerConfig.CLIENT_ID_CONFIG, "weir-notifier-" + channel);
        producer.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        producer.put(ProducerConfig.ACKS_CONFIG, "all");
        producer.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.min(BLOCK_MS, timeout.toMillis() / 2));
        producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) (timeout.toMillis() / 2));
        producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) timeout.toMillis());
        producer.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 4 << 20);
        return new KafkaTopicNotifier(settings.getString(TOPIC), producer, timeout);
    }

    private static Map<String, Object> read(String file) {
        Map<String, Object> settings = new HashMap<>();
        if (!file.isBlank()) {
            Properties properties = new Properties();
            try (Reader in = Files.newBufferedReader(Path.of(file))) {
                properties.load(in);
            } catch (IOException | IllegalArgumentException e) {
                throw new ConfigException(
                        CLIENT_FILE, file, "cannot be read: " + e.getClass().getSimpleName());
            }
            properties.forEach((name, value) -> settings.put(name.toString(), value));
        }
        return settings;
    }
}
