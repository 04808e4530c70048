package io.weir.scheduler.reduction;

import io.weir.scheduler.stream.ByCluster;
import io.weir.scheduler.stream.RecordTimestamps;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The wiring: metrics into one processor with a store, and from it events and dead letters. Names are explicit. */
public final class ReductionTopology {
    static final String STORE = "conditions";
    static final String EVENTS = "to-monitoring.events";
    static final String LETTERS = "to-dead-letters";

    private static final String SOURCE = "from-monitoring.metrics";
    private static final String PROCESSOR = "metrics";

    /** A new group begins with what was measured lately: older values say nothing about now. */
    private static final Duration FIRST_LOOK_BACK = Duration.ofMinutes(5);

    private ReductionTopology() {}

    /** Returns the topics it reads, the configuration and the nodes among them. */
    public static List<Topic<?>> inputs() {
        return List.of(Topics.MONITORING_METRICS, Topics.POLICY, Topics.NODES);
    }

    /** Returns the topics it writes. */
    public static List<Topic<?>> outputs() {
        return List.of(Topics.MONITORING_EVENTS, Topics.DEAD_LETTERS);
    }

    /** Returns the name of the topic that keeps the state of the application {@code applicationId}. */
    public static String changelog(String applicationId) {
        return applicationId + "-" + STORE + "-changelog";
    }

    /** Builds the topology for one start. */
    public static Topology build(
            TopicNames names,
            SortedSet<String> clusters,
            AvroCodec codec,
            RuleSource rules,
            NodeSource nodes,
            ReductionMetrics metrics) {
        Topology topology = new Topology();
        topology.addSource(
                AutoOffsetReset.byDuration(FIRST_LOOK_BACK),
                SOURCE,
                new RecordTimestamps(),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer(),
                names.full(Topics.MONITORING_METRICS));
        topology.addProcessor(PROCESSOR, processors(codec, rules, nodes, clusters, metrics), SOURCE);
        topology.addSink(
                EVENTS,
                names.full(Topics.MONITORING_EVENTS),
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                new ByCluster(),
                PROCESSOR);
        topology.addSink(
                LETTERS,
                names.full(Topics.DEAD_LETTERS),
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                new ByCluster(),
                PROCESSOR);
        return topology;
    }

    private static ProcessorSupplier<byte[], byte[], byte[], byte[]> processors(
            AvroCodec codec, RuleSource rules, NodeSource nodes, SortedSet<String> clusters, ReductionMetrics metrics) {
        return new ProcessorSupplier<>() {
            @Override
            public Processor<byte[], byte[], byte[], byte[]> get() {
                return new MetricProcessor(codec, rules, nodes, Set.copyOf(clusters), metrics);
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                return Set.of(Stores.keyValueStoreBuilder(
                                Stores.persistentKeyValueStore(STORE), Serdes.String(), Serdes.ByteArray())
                        .withLoggingEnabled(Map.of()));
            }
        };
    }
}
