package io.weir.scheduler.reduction;

import io.weir.scheduler.core.event.ForwardedMetric;
import io.weir.scheduler.core.event.MetricCondition;
import io.weir.scheduler.journal.AvroBinary;
import io.weir.scheduler.reduction.ReductionMetrics.Dropped;
import io.weir.scheduler.reduction.TrackedMetric.Outcome;
import io.weir.scheduler.state.ConditionStatus;
import io.weir.scheduler.stream.StreamRestartException;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.bound.Breach;
import io.weir.schemas.bound.FactBounds;
import io.weir.schemas.bound.Fields;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroPayload;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at every metric of one partition and writes an event when a condition on it begins to hold, holds for another
 * rearm time, or is over, and when a value that the scheduler is told of has moved. What holds and what was told is stored
 * with the event, in its transaction; averages are stored every half minute, so that a restart costs at most that much of
 * them. A condition that the configuration no longer states is over, and so is one whose node has been silent for a day;
 * values that the configuration no longer asks for, or that are a day old, are taken back.
 */
final class MetricProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private static final Logger log = LoggerFactory.getLogger(MetricProcessor.class);

    /** Most nodes of a partition whose metrics are followed. */
    static final int MOST_NODES = 200_000;

    private static final long STORED_EVERY_MILLIS = 30_000;
    private static final long SILENT_MILLIS = Duration.ofDays(1).toMillis();
    private static final Duration UPKEEP = Duration.ofSeconds(10);

    /** By less the clock may be set back: what then stands still does so for as long. */
    private static final long SLIGHT_MILLIS = Duration.ofSeconds(5).toMillis();

    private final AvroCodec codec;
    private final RuleSource rules;
    private final NodeSource known;
    private final Set<String> clusters;
    private final ReductionMetrics metrics;

    /** By record key. */
    private final Map<String, NodeConditions> nodes = new HashMap<>();

    /** What the rules of each cluster were when they were last compared with what is tracked. */
    private final Map<String, ReductionRules> compared = new HashMap<>();

    /** The latest time that this machine's clock has shown, milliseconds since 1970. */
    private long latest;

    private @Nullable ProcessorContext<byte[], byte[]> context;
    private @Nullable KeyValueStore<String, byte[]> store;
    private @Nullable UnusableMetrics unusable;
    private @Nullable ReductionEvents events;

    MetricProcessor(
            AvroCodec codec, RuleSource rules, NodeSource known, Set<String> clusters, ReductionMetrics metrics) {
        this.codec = codec;
        this.rules = rules;
        this.known = known;
        this.clusters = clusters;
        this.metrics = metrics;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> task) {
        context = task;
        KeyValueStore<String, byte[]> states = task.getStateStore(ReductionTopology.STORE);
        store = states;
        unusable = new UnusableMetrics(codec, metrics, task);
        events = new ReductionEvents(codec, metrics, task);
        nodes.clear();
        compared.clear();
        long now = task.currentSystemTimeMs();
        latest = now;
        List<String> unreadable = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> all = states.all()) {
            while (all.hasNext()) {
                KeyValue<String, byte[]> entry = all.next();
                try {
                    nodes.put(entry.key, NodeConditions.from(decode(entry.value), now));
                } catch (IllegalStateException e) {
                    log.error("Begun anew, as it is no state of a node's conditions: key='{}'", entry.key, e);
                    unreadable.add(entry.key);
                }
            }
        }
        unreadable.forEach(states::delete);
        metrics.nodes(task.taskId().partition(), nodes.size());
        task.schedule(UPKEEP, PunctuationType.WALL_CLOCK_TIME, this::keepUp);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        watchClock();
        metrics.taken();
        NodeMetric metric;
        try {
            metric = codec.decode(Topics.MONITORING_METRICS, valueOf(record));
        } catch (PoisonRecordException e) {
            refuse(record, "UNDECODABLE", String.valueOf(e.getMessage()));
            return;
        }
        Fields bounds = FactBounds.of(metric);
        Breach breach = bounds == null ? null : bounds.check(metric);
        if (breach != null) {
            refuse(record, "OUT_OF_BOUNDS", breach.message());
        } else if (clusters.contains(metric.getCluster())) {
            take(metric);
        } else {
            metrics.dropped(Dropped.STRANGER);
        }
    }

    /**
     * Begins anew when the clock was set back: until it had caught up, Kafka Streams would commit nothing by itself and do no
     * upkeep, and every value would seem to be older than the last.
     */
    private void watchClock() {
        long now = task().currentSystemTimeMs();
        if (now < latest - SLIGHT_MILLIS) {
            throw new StreamRestartException("This machine's clock was set back by " + (latest - now) + " ms", null);
        }
        latest = Math.max(latest, now);
    }

    private static byte[] valueOf(Record<byte[], byte[]> record) {
        byte[] value = record.value();
        if (value == null) {
            throw new PoisonRecordException(
                    "No value: a tombstone means nothing on " + Topics.MONITORING_METRICS.name());
        }
        return value;
    }

    private void refuse(Record<byte[], byte[]> record, String cause, String message) {
        metrics.dropped(Dropped.UNUSABLE);
        if (unusable != null) {
            unusable.write(record, cause, message);
        }
    }

    private void take(NodeMetric metric) {
        // It is followed all the same: its node may be on its way.
        if (known.isUnknown(metric.getCluster(), metric.getNodeId())) {
            metrics.unmatched();
        }
        ReductionRules asked = rules.of(metric.getCluster());
        List<MetricCondition> conditions = asked.conditions().on(metric.getMetric());
        ForwardedMetric forwarded = asked.forwarded().find(metric.getMetric());
        if (conditions.isEmpty() && forwarded == null) {
            return;
        }
        String key = metric.getCluster() + "/" + metric.getNodeId();
        NodeConditions node = nodes.get(key);
        if (node == null) {
            if (nodes.size() >= MOST_NODES) {
                metrics.dropped(Dropped.FULL);
                return;
            }
            node = new NodeConditions(metric.getCluster(), metric.getNodeId());
            nodes.put(key, node);
            metrics.nodes(task().taskId().partition(), nodes.size());
        }
        long now = task().currentSystemTimeMs();
        // A clock that runs ahead must not keep later values out.
        long at = Math.min(metric.getTime().toEpochMilli(), now);
        boolean changed = false;
        boolean late = false;
        for (MetricCondition condition : conditions) {
            TrackedMetric tracked = node.tracked()
                    .computeIfAbsent(condition.name(), name -> TrackedMetric.first(metric.getValue(), at));
            Outcome outcome = tracked.take(condition, metric.getValue(), at);
            if (outcome == Outcome.LATE) {
                late = true;
            } else if (outcome != Outcome.SAME) {
                changed = true;
                events().condition(node, condition.name(), outcome, at, words(condition, tracked, metric.getValue()));
            }
        }
        if (forwarded != null) {
            late |= !node.values().take(forwarded, metric.getValue(), at);
            changed |= tell(node, asked, now);
        }
        if (late) {
            metrics.dropped(Dropped.LATE);
        }
        if (changed || now - node.stored() >= STORED_EVERY_MILLIS) {
            save(key, node, now);
        }
    }

    private static String words(MetricCondition condition, TrackedMetric tracked, double value) {
        String text = String.format(Locale.ROOT, "%s is %.6g", condition.metric(), value);
        return condition.smoothingSeconds() == 0
                ? text
                : text
                        + String.format(
                                Locale.ROOT,
                                ", %.6g on average over %d s",
                                tracked.average(),
                                condition.smoothingSeconds());
    }

    /** Tells the scheduler of a node's values if that is due; returns whether it did. */
    private boolean tell(NodeConditions node, ReductionRules asked, long now) {
        if (!node.values().isDue(asked.forwarded(), now) || !events().mayTell()) {
            return false;
        }
        events().values(node, node.values().tell(now), now);
        return true;
    }

    /** Ends what the configuration no longer asks for and what has been silent for too long. */
    private void keepUp(long now) {
        if (unusable != null) {
            unusable.refill();
        }
        events().refill();
        Map<String, ReductionRules> stated = new HashMap<>();
        clusters.forEach(cluster -> stated.put(cluster, rules.of(cluster)));
        boolean changed = !stated.equals(compared);
        Iterator<Map.Entry<String, NodeConditions>> all = nodes.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<String, NodeConditions> entry = all.next();
            NodeConditions node = entry.getValue();
            ReductionRules asked = stated.getOrDefault(node.cluster(), ReductionRules.NONE);
            boolean ended = false;
            if (now - node.lastValue() > SILENT_MILLIS) {
                ended = end(node, Set.of(), "no value for a day");
            } else if (changed) {
                ended = end(node, asked.conditions().names(), "the configuration no longer states this condition");
            }
            node.values().keep(asked.forwarded(), now - SILENT_MILLIS);
            boolean told = tell(node, asked, now);
            if (node.isEmpty() && !node.values().isDue(asked.forwarded(), now)) {
                all.remove();
                store().delete(entry.getKey());
            } else if (ended || told) {
                save(entry.getKey(), node, now);
            }
        }
        compared.clear();
        compared.putAll(stated);
        metrics.nodes(task().taskId().partition(), nodes.size());
    }

    /** Forgets the conditions of a node that are not among {@code kept}; returns whether there were any. */
    private boolean end(NodeConditions node, Set<String> kept, String why) {
        boolean ended = false;
        Iterator<Map.Entry<String, TrackedMetric>> all =
                node.tracked().entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<String, TrackedMetric> entry = all.next();
            if (!kept.contains(entry.getKey())) {
                if (entry.getValue().isActive()) {
                    events().condition(node, entry.getKey(), Outcome.OVER, task().currentSystemTimeMs(), why);
                }
                all.remove();
                ended = true;
            }
        }
        return ended;
    }

    private void save(String key, NodeConditions node, long now) {
        store().put(key, AvroPayload.encode(node.toRecord(now)));
    }

    private static ConditionStatus decode(byte[] value) {
        try {
            return AvroBinary.decode(ConditionStatus.class, value);
        } catch (IOException | AvroRuntimeException e) {
            throw new IllegalStateException("The stored state of a node's conditions cannot be read", e);
        }
    }

    private ProcessorContext<byte[], byte[]> task() {
        if (context == null) {
            throw new IllegalStateException("not started");
        }
        return context;
    }

    private ReductionEvents events() {
        if (events == null) {
            throw new IllegalStateException("not started");
        }
        return events;
    }

    private KeyValueStore<String, byte[]> store() {
        if (store == null) {
            throw new IllegalStateException("not started");
        }
        return store;
    }
}
