package io.weir.scheduler.reduction;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.PolicyVersion;
import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of the configurations that were published last, kept up to date on a thread of its own. A configuration
 * that cannot be read is passed over: the one before stays. What operators change at run time is not in it. Thread-safe.
 */
public final class PublishedRules implements RuleSource, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PublishedRules.class);
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);

    private final Consumer<byte[], byte[]> source;
    private final AvroCodec codec;
    private final Map<String, ReductionRules> rules = new ConcurrentHashMap<>();
    private final TopicFollower follower;

    /**
     * Reads what is there; {@code source} is closed with this object.
     *
     * @throws TimeoutException when that takes more than a minute
     */
    public PublishedRules(Consumer<byte[], byte[]> source, TopicNames names, AvroCodec codec) {
        this.source = source;
        this.codec = codec;
        List<TopicPartition> partitions = TopicFollower.assign(source, names.full(Topics.POLICY));
        Map<TopicPartition, Long> ends = source.endOffsets(partitions);
        long deadline = System.nanoTime() + OPEN_LIMIT.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> source.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("Could not read the configurations within " + OPEN_LIMIT);
            }
            var unused = takeLast(source.poll(TopicFollower.POLL));
        }
        follower = new TopicFollower(source, "configurations", this::takeLast);
    }

    @Override
    public ReductionRules of(String cluster) {
        return rules.getOrDefault(cluster, ReductionRules.NONE);
    }

    /** Only the last configuration of each cluster counts; returns whether one waits for the registry. */
    private boolean takeLast(Iterable<ConsumerRecord<byte[], byte[]>> records) {
        Map<String, PolicyVersion> last = new HashMap<>();
        Set<TopicPartition> waiting = new HashSet<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            if (waiting.contains(partition)) {
                continue;
            }
            try {
                byte[] value = record.value();
                if (value != null) {
                    PolicyVersion version = codec.decode(Topics.POLICY, value);
                    last.put(version.getCluster(), version);
                }
            } catch (PoisonRecordException e) {
                log.warn(
                        "Unreadable configuration: partition={} offset={}: {}",
                        record.partition(),
                        record.offset(),
                        e.getMessage());
            } catch (RegistryUnavailableException e) {
                source.seek(partition, record.offset());
                waiting.add(partition);
                log.warn("The schema registry is away, a configuration waits for it: {}", e.getMessage());
            }
        }
        last.forEach((cluster, version) -> {
            ReductionRules next =
                    ReductionRules.of(SitePolicy.read(version.getText()).policy());
            rules.put(cluster, next);
            log.info(
                    "Rules for metrics: cluster={} conditions={} forwarded={}",
                    cluster,
                    next.conditions().names(),
                    next.forwarded().byName().keySet());
        });
        return !waiting.isEmpty();
    }

    @Override
    public void close() {
        follower.close();
    }
}
