package io.weir.topics;

import io.weir.service.ServiceConfig;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * How the topics of an installation are called and made. Immutable.
 *
 * @param names the prefix
 * @param mode whether missing topics are made
 * @param partitions how many partitions a topic made here gets; clusters spread over them
 * @param replication replicas of a topic made here; empty leaves it to the broker
 * @param retention how long records are kept where the catalogue's default does not suit, by name without prefix, or
 *     {@link #EVERY_TOPIC}; an empty value is for ever
 */
public record TopicSettings(
        TopicNames names,
        Mode mode,
        int partitions,
        Optional<Short> replication,
        Map<String, Optional<Duration>> retention) {

    /** Stands in {@link #retention} for every topic that is not named there. */
    public static final String EVERY_TOPIC = "*";

    private static final String FOR_EVER = "forever";
    private static final int BROKER_DEFAULT = -1;
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(36_525);

    /** Refuses topics that do not exist. */
    public TopicSettings {
        retention = Map.copyOf(retention);
        for (String name : retention.keySet()) {
            if (!name.equals(EVERY_TOPIC) && Topics.byName(name).isEmpty()) {
                throw new ConfigException("topics.retention names '" + name + "', which is no topic; there are "
                        + Topics.all().stream().map(Topic::name).toList());
            }
        }
    }

    /** What is done about topics at start. */
    public enum Mode {
        /** Missing topics are made, then all are verified. */
        CREATE,
        /** Topics are only verified: somebody else makes them. */
        VERIFY
    }

    /** Adds the keys to {@code definition} and returns it. */
    public static ConfigDef define(ConfigDef definition) {
        return definition
                .define(
                        "topics.prefix",
                        Type.STRING,
                        TopicNames.DEFAULT_PREFIX,
                        new BrokerName(0),
                        Importance.MEDIUM,
                        "Prefix of every topic name.")
                .define(
                        "topics.mode",
                        Type.STRING,
                        "create",
                        ConfigDef.CaseInsensitiveValidString.in("create", "verify"),
                        Importance.MEDIUM,
                        "create creates missing topics and verifies the others; verify only verifies.")
                .define(
                        "topics.partitions",
                        Type.INT,
                        1,
                        ConfigDef.Range.between(1, 10_000),
                        Importance.MEDIUM,
                        "Partitions of topics that the service creates. All clusters on one partition share one task.")
                .define(
                        "topics.replication",
                        Type.INT,
                        BROKER_DEFAULT,
                        ConfigDef.Range.between(BROKER_DEFAULT, Short.MAX_VALUE),
                        Importance.MEDIUM,
                        "Replicas of topics that the service creates; -1 takes the broker's"
                                + " default.replication.factor.")
                .define(
                        "topics.retention",
                        Type.LIST,
                        List.of(),
                        ConfigDef.ValidList.anyNonDuplicateValues(true, false),
                        Importance.MEDIUM,
                        "Retention of topics that the service creates, where it differs from the catalogue:"
                                + " topic=ISO-8601 duration or topic=forever, comma-separated, * for all others; for"
                                + " example journal=P730D,*=forever. Use *=forever with virtual time, because its"
                                + " timestamps are old.");
    }

    /** Takes the settings out of {@code config}. */
    public static TopicSettings from(ServiceConfig config) {
        long replication = config.number("topics.replication");
        return new TopicSettings(
                new TopicNames(config.text("topics.prefix")),
                Mode.valueOf(config.text("topics.mode").toUpperCase(Locale.ROOT)),
                Math.toIntExact(config.number("topics.partitions")),
                replication > 0 ? Optional.of((short) replication) : Optional.empty(),
                parseRetention(config.list("topics.retention")));
    }

    /** Returns how long records of {@code topic} are kept; empty for ever. */
    public Optional<Duration> retentionOf(Topic<?> topic) {
        if (topic.cleanup() == Topic.Cleanup.COMPACT) {
            return Optional.empty();
        }
        Optional<Duration> otherwise = retention.getOrDefault(EVERY_TOPIC, topic.retention());
        return retention.getOrDefault(topic.name(), otherwise);
    }

    private static Map<String, Optional<Duration>> parseRetention(List<String> entries) {
        Map<String, Optional<Duration>> retention = new LinkedHashMap<>();
        for (String entry : entries) {
            String[] parts = entry.split("=", 2);
            try {
                String value = parts.length < 2 ? "" : parts[1].trim();
                Optional<Duration> kept =
                        value.equals(FOR_EVER) ? Optional.empty() : Optional.of(Duration.parse(value));
                if (kept.filter(time -> time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0)
                        .isPresent()) {
                    throw new ConfigException("topics.retention has '" + entry + "'; it may be from " + SHORTEST
                            + " to " + LONGEST + ", or forever");
                }
                retention.put(parts[0].trim(), kept);
            } catch (DateTimeParseException e) {
                throw new ConfigException("topics.retention has '" + entry
                        + "'; write topic=duration, such as journal=P730D, decisions=PT12H or charges=forever");
            }
        }
        return retention;
    }
}
