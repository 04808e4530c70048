package io.weir.scheduler.stream;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.journal.OutputTopics;
import io.weir.scheduler.stream.pacing.Pace;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.scheduler.stream.store.Stores;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The wiring, and nothing else: every input topic as bytes into one processor with two stores, and from it every output
 * topic. Names are explicit; changing one changes the names of changelog topics and is a migration.
 */
public final class SchedulerTopology {
    private static final String PROCESSOR = "cluster";

    /** Null: what the process configures, see the stream's settings. */
    private static final @Nullable AutoOffsetReset CONFIGURED_RESET = null;

    private static final List<Topic<?>> INPUTS = List.of(
            Topics.RM_NODES,
            Topics.RM_JOBS,
            Topics.RM_HEARTBEATS,
            Topics.RESULTS,
            Topics.MONITORING_EVENTS,
            Topics.REQUESTS,
            Topics.POLICY,
            Topics.PLUGIN_ANSWERS,
            Topics.DELIVERY_RESULTS);

    private SchedulerTopology() {}

    /** Returns the topics the stream reads. */
    public static List<Topic<?>> inputs() {
        return INPUTS;
    }

    /** Returns the topics the stream writes. */
    public static List<Topic<?>> outputs() {
        return Stream.concat(OutputTopics.all().stream(), Stream.of(Topics.JOURNAL, Topics.DEAD_LETTERS))
                .toList();
    }

    /** Returns every topic the stream reads or writes. */
    public static List<Topic<?>> topics() {
        List<Topic<?>> topics = new ArrayList<>(INPUTS);
        topics.addAll(outputs());
        return topics;
    }

    /**
     * Builds the topology, for one start of the stream; {@code suspicions} has what failed in earlier ones, {@code pace} what
     * its consumers have read.
     */
    public static Topology build(
            StreamSettings settings, AvroCodec codec, StreamMetrics metrics, Suspicions suspicions, Pace pace) {
        TopicNames names = settings.names();
        Topology topology = new Topology();
        for (Topic<?> input : INPUTS) {
            topology.addSource(
                    CONFIGURED_RESET,
                    sourceName(input),
                    new RecordTimestamps(),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer(),
                    names.full(input));
        }
        topology.addProcessor(
                PROCESSOR,
                processors(settings, codec, metrics, suspicions, new OutputLimits(), pace),
                INPUTS.stream().map(SchedulerTopology::sourceName).toArray(String[]::new));
        for (Topic<?> output : outputs()) {
            topology.addSink(
                    sinkName(output),
                    names.full(output),
                    new ByteArraySerializer(),
                    new ByteArraySerializer(),
                    new ByCluster(),
                    PROCESSOR);
        }
        return topology;
    }

    /**
     * Returns what makes the processors of one start of the stream, with the stores they need: for {@link #build}, and for
     * hosts that do as Kafka Streams does. Records go to children called {@link #sinkName}.
     *
     * @param limits how large records may be
     * @param pace how iterations are paced
     */
    public static ProcessorSupplier<byte[], byte[], byte[], byte[]> processors(
            StreamSettings settings,
            AvroCodec codec,
            StreamMetrics metrics,
            Suspicions suspicions,
            OutputLimits limits,
            Pace pace) {
        TaskStarts starts = new TaskStarts();
        return new ProcessorSupplier<>() {
            @Override
            public Processor<byte[], byte[], byte[], byte[]> get() {
                return new ClusterProcessor(
                        settings, codec, metrics, starts::register, suspicions, ClusterScheduler::new, limits, pace);
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                return new LinkedHashSet<>(Stores.builders());
            }
        };
    }

    static String sourceName(Topic<?> topic) {
        return "from-" + topic.name();
    }

    /** Returns the name of the child to which records of {@code topic} are sent. */
    public static String sinkName(Topic<?> topic) {
        return "to-" + topic.name();
    }
}
