package io.weir.scheduler;

import io.weir.service.ServiceConfig;
import io.weir.service.setting.FilePath;
import io.weir.topics.BrokerName;
import io.weir.topics.RecordSize;
import io.weir.topics.TopicNames;
import io.weir.topics.TopicSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.StreamsConfig;

/** Settings of the reduction's process. Immutable. */
public final class ReductionConfig {
    private static final int SESSION_MS = 10_000;
    private static final int CACHE_BYTES = 8 << 20;
    private static final int MOST_POLLED = 5_000;

    /** Metrics come in many small batches; a few large answers cost both sides less than one for each batch. */
    private static final int FETCHED_TOGETHER_BYTES = 128 << 10;

    /** Longest time that metrics wait for others, ms. */
    private static final int FETCH_WAIT_MS = 100;

    private final ServiceConfig config;
    private final TopicSettings topics;

    /** Takes the settings out of {@code config}. */
    public ReductionConfig(ServiceConfig config) {
        this.config = config;
        this.topics = TopicSettings.from(config);
    }

    /** Returns every key with its default and meaning. */
    public static ConfigDef definition() {
        return TopicSettings.define(ServiceConfig.baseDefinition())
                .define(
                        "clusters",
                        Type.LIST,
                        ConfigDef.NO_DEFAULT_VALUE,
                        ConfigDef.ValidList.anyNonDuplicateValues(false, false),
                        Importance.HIGH,
                        "Clusters whose metrics are reduced, comma-separated. Metrics of any other are passed over.")
                .define(
                        "reduction.instance.id",
                        Type.STRING,
                        "reduction-1",
                        new BrokerName(1),
                        Importance.HIGH,
                        "Name of this instance, unique in the installation and the same after a restart.")
                .define(
                        "reduction.threads",
                        Type.INT,
                        1,
                        Range.between(1, 64),
                        Importance.LOW,
                        "Stream threads; more than monitoring.metrics has partitions are idle.")
                .define(
                        "reduction.commit.interval.ms",
                        Type.LONG,
                        1_000,
                        Range.between(10, 60_000),
                        Importance.LOW,
                        "Longest time until metrics that led to no event are committed; events are at once.")
                .define(
                        "state.dir",
                        Type.STRING,
                        "state",
                        ConfigDef.CompositeValidator.of(new ConfigDef.NonEmptyString(), new FilePath()),
                        Importance.HIGH,
                        "Directory of the local state. If it is lost, it is restored from the topics.");
    }

    /** Returns how topics are called and made. */
    TopicSettings topics() {
        return topics;
    }

    SortedSet<String> clusters() {
        return new TreeSet<>(config.list("clusters"));
    }

    String applicationId() {
        return applicationId(topics.names());
    }

    /** Returns the consumer group, and prefix of the internal topics: one for each installation on a broker. */
    static String applicationId(TopicNames names) {
        return names.prefix() + "reduction";
    }

    String instanceId() {
        return config.text("reduction.instance.id");
    }

    /** Returns the directory of the state on this machine. */
    Path state() {
        return Path.of(config.text("state.dir")).resolve(applicationId());
    }

    Map<String, Object> admin() {
        return config.admin();
    }

    Map<String, Object> registry() {
        return config.registry();
    }

    /** Opens a consumer of committed records that is in no group. */
    Consumer<byte[], byte[]> reader() {
        Map<String, Object> properties = new HashMap<>(config.consumer());
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Returns the properties of Kafka Streams; what is passed through wins over defaults, not over correctness. */
    Properties streams() {
        Map<String, Object> settings = new HashMap<>();
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), RecordSize.LARGEST);
        // There is no global thread; Kafka Streams warns of it unless told.
        settings.put("processing.exception.handler.global.enabled", true);
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
        settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int)
                topics.replication().orElse((short) -1));
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), SESSION_MS);
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), MOST_POLLED);
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MIN_BYTES_CONFIG), FETCHED_TOGETHER_BYTES);
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), FETCH_WAIT_MS);
        settings.putAll(config.streams());
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId());
        settings.put(StreamsConfig.CLIENT_ID_CONFIG, applicationId() + "-" + instanceId());
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), instanceId());
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, config.text("state.dir"));
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, (int) config.number("reduction.threads"));
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.number("reduction.commit.interval.ms"));
        Properties properties = new Properties();
        properties.putAll(settings);
        return properties;
    }
}
