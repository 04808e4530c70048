package io.weir.notifier.kafka;

import io.weir.service.setting.SettingsFile;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The settings of whatever writes to topics of others, and the idempotent producer that they describe. Stateless. */
final class WriterSettings {

    static final String BOOTSTRAP = "bootstrap.servers";
    static final String CLIENT_FILE = "client.file";
    static final String TIMEOUT_MS = "timeout.ms";

    private static final int BLOCK_MS = 5_000;
    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private WriterSettings() {}

    /** Adds to {@code definition} where the brokers are. */
    static ConfigDef defineBrokers(ConfigDef definition) {
        return definition.define(
                BOOTSTRAP,
                Type.STRING,
                ConfigDef.NO_DEFAULT_VALUE,
                new ConfigDef.NonEmptyString(),
                Importance.HIGH,
                "Brokers of the Kafka cluster with the topic.");
    }

    /** Adds to {@code definition} how they are talked to. */
    static ConfigDef defineClient(ConfigDef definition) {
        return definition
                .define(
                        CLIENT_FILE,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "Properties file with further producer settings, such as `security.protocol` and `sasl.*`, so"
                                + " that secrets stay in that file.")
                .define(
                        TIMEOUT_MS,
                        Type.INT,
                        30_000,
                        ConfigDef.Range.between(1_000, 110_000),
                        Importance.LOW,
                        "How long one attempt may take.");
    }

    /** Refuses what no broker would have as the name of a topic. */
    static void requireTopic(String key, String topic) {
        if (!TOPIC.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
            throw new ConfigException(key, topic, "use 1 to 249 letters, digits, '.', '_' and '-'");
        }
    }

    /** Opens a writer whose producer is called {@code client} by the brokers. */
    static TopicWriter open(String client, AbstractConfig settings) {
        Duration timeout = Duration.ofMillis(settings.getInt(TIMEOUT_MS));
        Map<String, Object> producer = new HashMap<>(read(settings.getString(CLIENT_FILE)));
        producer.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.getString(BOOTSTRAP));
        producer.put(ProducerConfig.CLIENT_ID_CONFIG, client);
        producer.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        producer.put(ProducerConfig.ACKS_CONFIG, "all");
        producer.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.min(BLOCK_MS, timeout.toMillis() / 2));
        producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) (timeout.toMillis() / 2));
        producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) timeout.toMillis());
        producer.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 4 << 20);
        return new TopicWriter(
                () -> new KafkaProducer<>(producer, new ByteArraySerializer(), new ByteArraySerializer()), timeout);
    }

    private static Map<String, Object> read(String file) {
        try {
            return file.isBlank() ? new HashMap<>() : new HashMap<>(SettingsFile.read(Path.of(file)));
        } catch (IOException | InvalidPathException e) {
            throw new ConfigException(CLIENT_FILE, file, String.valueOf(e.getMessage()));
        }
    }
}
