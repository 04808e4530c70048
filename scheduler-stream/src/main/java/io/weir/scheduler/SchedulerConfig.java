package io.weir.scheduler;

import io.weir.scheduler.journal.Build;
import io.weir.scheduler.plugin.Plugins;
import io.weir.scheduler.query.ApiSettings;
import io.weir.scheduler.stream.ClockMode;
import io.weir.scheduler.stream.RecordTimestamps;
import io.weir.scheduler.stream.Rewriting;
import io.weir.scheduler.stream.StreamSettings;
import io.weir.scheduler.stream.pacing.Backlog;
import io.weir.scheduler.stream.pacing.Pace;
import io.weir.service.ServiceConfig;
import io.weir.service.setting.FilePath;
import io.weir.topics.BrokerName;
import io.weir.topics.PlainName;
import io.weir.topics.RecordSize;
import io.weir.topics.TopicSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings of the scheduler process. They say where and how it runs, never what it decides: that is policy, and comes on
 * a topic. Immutable.
 */
public final class SchedulerConfig {
    private static final int TRANSACTION_TIMEOUT_MS = 60_000;
    private static final int PRODUCER_BACKOFF_MS = 5;
    /** Longer than a transaction is open where commits are frequent; a commit sends what is left. */
    private static final int PRODUCER_LINGER_MS = 100;

    private static final int PRODUCER_BATCH_BYTES = 256 << 10;
    private static final int HEARTBEATS_PER_SESSION = 16;
    private static final int CACHE_BYTES = 32 << 20;
    private static final int FETCH_WAIT_MS = 100;
    /** Urgent events and wake-ups are due to the millisecond; a thread at rest looks more seldom, see {@link InputWait}. */
    private static final long WALL_POLL_MS = 2;
    /** Only input makes anything due. */
    private static final long RM_POLL_MS = 50;

    private static final long DAY_MS = 86_400_000;
    private static final ConfigDef.Validator POLL = ConfigDef.LambdaValidator.with(
            (key, value) -> {
                if (value != null) {
                    Range.between(0, 60_000).ensureValid(key, value);
                }
            },
            () -> "[0,...,60000]");

    private final ServiceConfig config;
    private final TopicSettings topics;
    private final Optional<ApiSettings> api;

    /**
     * Takes the settings out of {@code config}.
     *
     * @throws ConfigException when they contradict each other
     */
    public SchedulerConfig(ServiceConfig config) {
        this.config = config;
        this.topics = TopicSettings.from(config);
        this.api = ApiSettings.from(config);
        for (String cluster : clusters()) {
            new PlainName().ensureValid("clusters", cluster);
            if (givenUp().contains(cluster)) {
                throw new ConfigException("clusters", cluster, "is also in clusters.given.up; name it in one of them");
            }
        }
    }

    /** Returns every key with its default and meaning. */
    public static ConfigDef definition() {
        return Plugins.define(ApiSettings.define(TopicSettings.define(ServiceConfig.baseDefinition())))
                .define(
                        "clusters",
                        Type.LIST,
                        ConfigDef.NO_DEFAULT_VALUE,
                        ConfigDef.ValidList.anyNonDuplicateValues(false, false),
                        Importance.HIGH,
                        "Clusters to schedule, comma-separated, the same for every instance. Records of other clusters become"
                                + " dead letters. Without a cluster that has been scheduled before, the service does"
                                + " not start; see clusters.given.up.")
                .define(
                        "clusters.given.up",
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.LOW,
                        "Clusters that were scheduled before and are not to be any more. Their state is kept, and is"
                                + " gone on from if they are listed in clusters again.")
                .define(
                        "clock",
                        Type.STRING,
                        "wall",
                        ConfigDef.CaseInsensitiveValidString.in("wall", "rm"),
                        Importance.HIGH,
                        "wall: this machine's clock, for live sites. rm: the resource manager's clock, in lock step"
                                + " with its heartbeats, for virtual time.")
                .define(
                        "clock.max.skew.ms",
                        Type.LONG,
                        300_000,
                        Range.between(0, DAY_MS),
                        Importance.LOW,
                        "Wall clock: how far the scheduler's time may run ahead of the last heartbeat.")
                .define(
                        "iteration.coalesce.ms",
                        Type.LONG,
                        1,
                        Range.between(0, 10_000),
                        Importance.LOW,
                        "Wall clock: how long an urgent event waits for others, so that they share an iteration.")
                .define(
                        "iteration.share.percent",
                        Type.INT,
                        33,
                        Range.between(1, 100),
                        Importance.LOW,
                        "Wall clock: largest share of the stream thread's time for iterations and their commits while"
                                + " inputs wait. With 100, iterations always come first.")
                .define(
                        "intake.gap.timeout.ms",
                        Type.LONG,
                        10_000,
                        Range.between(1, DAY_MS),
                        Importance.MEDIUM,
                        "If facts that a heartbeat counts are missing and none of them arrives for this long, a full"
                                + " poll is requested.")
                .define(
                        "intake.foreign.reports",
                        Type.BOOLEAN,
                        false,
                        Importance.LOW,
                        "Whether to accept reports of nodes and jobs from producers other than connectors.")
                .define(
                        "instance.id",
                        Type.STRING,
                        "scheduler-1",
                        new BrokerName(1),
                        Importance.HIGH,
                        "Name of this instance: unique in the installation, and unchanged by a restart. If two"
                                + " processes have the same name, one of them ends.")
                .define(
                        "application.id",
                        Type.STRING,
                        "weir-scheduler",
                        new BrokerName(1),
                        Importance.MEDIUM,
                        "Consumer group; also the prefix of the internal topics and the transactional ids.")
                .define(
                        "state.dir",
                        Type.STRING,
                        "state",
                        ConfigDef.CompositeValidator.of(new ConfigDef.NonEmptyString(), new FilePath()),
                        Importance.HIGH,
                        "Directory of the local state. If it is lost, it is restored from the topics. On a file"
                                + " system without noexec, or name such a directory in ROCKSDB_SHAREDLIB_DIR.")
                .define(
                        "threads",
                        Type.INT,
                        1,
                        Range.between(1, 64),
                        Importance.LOW,
                        "Number of stream threads. Threads beyond the number of partitions stay idle.")
                .define(
                        "standby.replicas",
                        Type.INT,
                        0,
                        Range.between(0, 8),
                        Importance.MEDIUM,
                        "Number of other instances that keep a copy of the state, for quick fail-over.")
                .define(
                        "session.timeout.ms",
                        Type.INT,
                        8_000,
                        Range.between(1_000, 300_000),
                        Importance.MEDIUM,
                        "How long an instance may be silent before another one takes over. The broker limits it, by"
                                + " default to 6 s to 30 min (group.min.session.timeout.ms,"
                                + " group.max.session.timeout.ms).")
                .define(
                        "commit.interval.ms",
                        Type.LONG,
                        1_000,
                        Range.between(1, 60_000),
                        Importance.LOW,
                        "Longest time until facts that lead to no decision are committed. Decisions are committed at"
                                + " once.")
                .define(
                        "poll.ms",
                        Type.LONG,
                        null,
                        POLL,
                        Importance.LOW,
                        "Longest wait for input before the clock is checked again; by default 2 under the wall clock"
                                + " and 50 under the resource manager's. Where nothing was read or written for 20 ms it is"
                                + " 20 at least: input ends the wait at once.");
    }

    /** Returns how topics are called and made. */
    public TopicSettings topics() {
        return topics;
    }

    /** Returns the clusters, sorted. */
    public List<String> clusters() {
        return List.copyOf(new TreeSet<>(config.list("clusters")));
    }

    private SortedSet<String> givenUp() {
        return new TreeSet<>(config.list("clusters.given.up"));
    }

    /** Returns the id of the consumer group. */
    public String applicationId() {
        return config.text("application.id");
    }

    /** Returns the name of this instance. */
    String instanceId() {
        return config.text("instance.id");
    }

    /** Returns the state directory. */
    public Path stateDir() {
        return Path.of(config.text("state.dir"));
    }

    /** Returns how the HTTP API is served; empty for not at all. */
    public Optional<ApiSettings> api() {
        return api;
    }

    /** Returns the site's plug-ins; their programs see variables of {@code environment}. */
    public Plugins plugins(Map<String, String> environment) {
        return Plugins.from(config, environment);
    }

    /** Returns the properties of the API's consumers. */
    public Map<String, Object> apiConsumer() {
        return config.ofPart("api").consumer();
    }

    /** Returns the properties of the API's producer. */
    public Map<String, Object> apiProducer() {
        return config.ofPart("api").producer(RecordSize.LARGEST);
    }

    /** Returns the properties of the API's admin client. */
    public Map<String, Object> apiAdmin() {
        return config.ofPart("api").admin();
    }

    /** Returns the properties of a consumer beside the stream. */
    public Map<String, Object> consumer() {
        return config.consumer();
    }

    /** Opens a consumer of committed records that is in no group. */
    Consumer<byte[], byte[]> stateReader() {
        Map<String, Object> properties = new HashMap<>(consumer());
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Returns the properties of a producer beside the stream. */
    public Map<String, Object> producer() {
        return config.producer(RecordSize.LARGEST);
    }

    /** Returns the properties of the admin client. */
    public Map<String, Object> admin() {
        return config.admin();
    }

    /** Returns the properties of the registry client. */
    public Map<String, Object> registry() {
        return config.registry();
    }

    /** Returns what the stream has to know, given how many partitions its topics have, and which state they lost. */
    public StreamSettings stream(int partitions, Rewriting rewriting) {
        return new StreamSettings(
                topics.names(),
                new TreeSet<>(clusters()),
                givenUp(),
                partitions,
                clock(),
                Duration.ofMillis(config.number("iteration.coalesce.ms")),
                Duration.ofMillis(config.number("clock.max.skew.ms")),
                Duration.ofMillis(config.number("intake.gap.timeout.ms")),
                config.flag("intake.foreign.reports"),
                Build.current(),
                rewriting);
    }

    /** Returns how iterations are paced, where {@code backlog} knows what waits. */
    Pace pace(Backlog backlog) {
        return new Pace(backlog, System::nanoTime, (int) config.number("iteration.share.percent"));
    }

    /** Returns the properties of Kafka Streams; what is passed through wins over defaults, not over correctness. */
    public Properties streams() {
        Map<String, Object> settings = new HashMap<>();
        // A transaction's records go out together when it is committed: one request instead of one for each topic.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), PRODUCER_LINGER_MS);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), PRODUCER_BATCH_BYTES);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), TRANSACTION_TIMEOUT_MS);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), RecordSize.LARGEST);
        // There is no global thread; Kafka Streams warns of it unless told.
        settings.put("processing.exception.handler.global.enabled", true);
        // A transaction begun while the last one's markers are still being written is refused for a moment: one request
        // at a time keeps the ones behind it from being refused as out of order, and the pause before the next try
        // counts.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION), 1);
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), PRODUCER_BACKOFF_MS);
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
        // Intake is indifferent to the order between topics: a record need not wait for what another may still bring.
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int)
                topics.replication().orElse((short) -1));
        int session = (int) config.number("session.timeout.ms");
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), session);
        // A member learns of a change of the group by its next heartbeat.
        settings.put(
                StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
                session / HEARTBEATS_PER_SESSION);
        // Partitions that a restored task resumes are asked for by the next fetch only: one that waits for records of
        // other partitions holds up the first input after a restart.
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), FETCH_WAIT_MS);
        settings.putAll(config.streams());
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId());
        settings.put(StreamsConfig.CLIENT_ID_CONFIG, applicationId() + "-" + instanceId());
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), instanceId());
        // Start offsets are set before the start; a lost position later must stop the scheduler, not move it.
        settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "none");
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, stateDir().toString());
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, (int) config.number("threads"));
        settings.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, (int) config.number("standby.replicas"));
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.number("commit.interval.ms"));
        settings.put(StreamsConfig.POLL_MS_CONFIG, pollMillis());
        settings.put(StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, RecordTimestamps.class.getName());
        Properties properties = new Properties();
        properties.putAll(settings);
        return properties;
    }

    private ClockMode clock() {
        return ClockMode.valueOf(config.text("clock").toUpperCase(Locale.ROOT));
    }

    private long pollMillis() {
        if (config.has("poll.ms")) {
            return config.number("poll.ms");
        }
        return clock() == ClockMode.WALL ? WALL_POLL_MS : RM_POLL_MS;
    }
}
