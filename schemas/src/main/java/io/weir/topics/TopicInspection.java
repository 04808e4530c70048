package io.weir.topics;

import io.weir.topics.Topic.Cleanup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Compares existing topics with what is needed of them. What would lose, repeat or refuse records is a problem; what only
 * makes that more likely, or shortens a history, is a warning. Each comes with the command that mends it. One thread.
 */
final class TopicInspection {
    private static final String CREATE_TIME = "CreateTime";
    private static final long FOR_EVER = -1;

    /** A record with a time beyond these is refused, however often it is sent: by a clock gone wrong, or in virtual time. */
    private static final List<String> TIMESTAMP_BOUNDS = List.of(
            TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG);

    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** Looks at one topic; a setting that the broker does not tell is passed over. */
    void inspect(TopicNeeds needs, TopicDescription topic, Config config) {
        String name = topic.name();
        cleanup(needs, name, config);
        String timestamps = text(config, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
        if (!timestamps.isEmpty() && !timestamps.equals(CREATE_TIME)) {
            problems.add(change(name, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, timestamps, CREATE_TIME));
        }
        for (String bound : TIMESTAMP_BOUNDS) {
            number(config, bound).ifPresent(millis -> {
                if (millis < Long.MAX_VALUE) {
                    warnings.add(change(name, bound, Long.toString(millis), Long.toString(Long.MAX_VALUE)));
                }
            });
        }
        number(config, TopicConfig.MAX_MESSAGE_BYTES_CONFIG).ifPresent(bytes -> {
            if (bytes < needs.maxRecordBytes()) {
                problems.add(change(
                        name,
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Long.toString(bytes),
                        Integer.toString(needs.maxRecordBytes())));
            }
        });
        String compression = text(config, TopicConfig.COMPRESSION_TYPE_CONFIG);
        if (needs.uncompressed() && !compression.isEmpty() && !compression.equals(TopicNeeds.UNCOMPRESSED)) {
            // The limit on the size of records is for what is sent, whatever it unpacks to.
            warnings.add(change(name, TopicConfig.COMPRESSION_TYPE_CONFIG, compression, TopicNeeds.UNCOMPRESSED));
        }
        if (needs.cleanup() == Cleanup.DELETE) {
            retention(needs, name, config);
        }
        replicas(needs, topic, config);
    }

    /** Returns what has to be mended before anything runs. */
    List<String> problems() {
        return problems;
    }

    /** Returns what had better be mended. */
    List<String> warnings() {
        return warnings;
    }

    private void cleanup(TopicNeeds needs, String name, Config config) {
        String cleanup = text(config, TopicConfig.CLEANUP_POLICY_CONFIG);
        // Both together delete what nobody wrote for a while, the latest of its key or not.
        if (!cleanup.isEmpty() && !cleanup.equals(needs.cleanup().policy())) {
            problems.add(change(
                    name,
                    TopicConfig.CLEANUP_POLICY_CONFIG,
                    cleanup,
                    needs.cleanup().policy()));
        }
    }

    private void retention(TopicNeeds needs, String name, Config config) {
        List<String> found = needs.isRecord() ? problems : warnings;
        long needed = needs.retention().map(Duration::toMillis).orElse(FOR_EVER);
        number(config, TopicConfig.RETENTION_MS_CONFIG).ifPresent(kept -> {
            if (kept != FOR_EVER && (needed == FOR_EVER || kept < needed)) {
                found.add(change(name, TopicConfig.RETENTION_MS_CONFIG, Long.toString(kept), Long.toString(needed)));
            }
        });
        number(config, TopicConfig.RETENTION_BYTES_CONFIG).ifPresent(kept -> {
            if (kept != FOR_EVER) {
                found.add(
                        change(name, TopicConfig.RETENTION_BYTES_CONFIG, Long.toString(kept), Long.toString(FOR_EVER)));
            }
        });
    }

    private void replicas(TopicNeeds needs, TopicDescription topic, Config config) {
        int replicas = topic.partitions().stream()
                .mapToInt(partition -> partition.replicas().size())
                .min()
                .orElse(0);
        needs.replication()
                .filter(wanted -> replicas < wanted)
                .ifPresent(wanted -> problems.add("Topic " + topic.name()
                        + " has a partition with " + replicas + " replicas, but topics.replication is " + wanted
                        + ": add replicas with kafka-reassign-partitions.sh, or set topics.replication=" + replicas));
        number(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).ifPresent(inSync -> {
            String key = TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
            if (inSync > replicas) {
                problems.add(change(
                        topic.name(),
                        key,
                        inSync + " with " + replicas + " replicas",
                        Integer.toString(advised(replicas))));
            } else if (replicas > 1 && inSync != advised(replicas)) {
                warnings.add(change(
                        topic.name(),
                        key,
                        inSync + " with " + replicas + " replicas, so that "
                                + (inSync == 1 ? "one broker may have the only copy" : "one broker away stops it"),
                        Integer.toString(advised(replicas))));
            }
        });
        String unclean = text(config, TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG);
        if (replicas > 1 && unclean.equals("true")) {
            problems.add(change(topic.name(), TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, unclean, "false"));
        }
    }

    /** The most copies that leave room for one broker to be away. */
    private static int advised(int replicas) {
        return Math.max(1, Math.min(2, replicas - 1));
    }

    private static String change(String topic, String key, String actual, String needed) {
        return "Topic " + topic + " has " + key + "=" + actual + " but needs " + needed
                + ": kafka-configs.sh --bootstrap-server HOST:PORT --alter --topic " + topic + " --add-config " + key
                + "="
                + needed;
    }

    private static OptionalLong number(Config config, String key) {
        String value = text(config, key);
        return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    }

    private static String text(Config config, String key) {
        ConfigEntry entry = config.get(key);
        return entry == null || entry.value() == null ? "" : entry.value();
    }
}
