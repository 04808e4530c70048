package io.weir.scheduler.reduction;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.bound.Breach;
import io.weir.schemas.bound.FactBounds;
import io.weir.schemas.bound.Fields;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of the configurations that were published last, kept up to date on a thread of its own. A configuration
 * that cannot be read, or that the scheduler refuses for its bounds or its place, is passed over: the one before stays.
 * What operators change at run time is not in it. Thread-safe.
 */
public final class PublishedRules implements RuleSource, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PublishedRules.class);
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);

    private final Consumer<byte[], byte[]> source;
    private final AvroCodec codec;
    private final Map<String, ReductionRules> rules = new ConcurrentHashMap<>();
    private final int partitions;
    private final TopicFollower follower;

    /**
     * Reads what is there; {@code source} is closed with this object.
     *
     * @throws TimeoutException when that takes more than a minute
     */
    public PublishedRules(Consumer<byte[], byte[]> source, TopicNames names, AvroCodec codec) {
        this.source = source;
        this.codec = codec;
        List<TopicPartition> assigned = TopicFollower.assign(source, names.full(Topics.POLICY));
        partitions = assigned.size();
        Map<TopicPartition, Long> ends = source.endOffsets(assigned);
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
                    String objection = objection(record, version);
                    if (objection == null) {
                        last.put(version.getCluster(), version);
                    } else {
                        log.warn(
                                "Refused configuration: partition={} offset={}: {}",
                                record.partition(),
                                record.offset(),
                                objection);
                    }
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
                log.warn(
                        "The schema registry gives no usable answer, a configuration waits for it: {}", e.getMessage());
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

    /** Says why the scheduler puts a configuration aside; null when it takes it. */
    private @Nullable String objection(ConsumerRecord<byte[], byte[]> record, PolicyVersion version) {
        String cluster = version.getCluster();
        if (record.key() == null
                || !EntityKey.parse(record.key()).cluster().equals(cluster)
                || record.partition() != ClusterPartitioner.partition(cluster, partitions)) {
            return "it is of cluster '" + cluster + "', but not its key or its partition";
        }
        Fields bounds = Objects.requireNonNull(FactBounds.of(version), "a configuration is an input");
        Breach breach = bounds.check(version);
        return breach == null ? null : breach.message();
    }

    @Override
    public void close() {
        follower.close();
    }
}
