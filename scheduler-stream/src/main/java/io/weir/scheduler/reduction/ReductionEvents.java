package io.weir.scheduler.reduction;

import io.weir.schemas.GenericEvent;
import io.weir.schemas.Measurement;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.Topics;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Writes what the scheduler is to know. What holds is always written; of values so many in a while, so that nodes that all
 * change at once come one after another. One thread.
 */
final class ReductionEvents {
    /** Most reports of values between two calls of {@link #refill}. */
    static final int MOST_REPORTS = 2_000;

    private static final String SOURCE = "reduction";
    private static final String VALUES = "gmetric";

    private final AvroCodec codec;
    private final ReductionMetrics metrics;
    private final ProcessorContext<byte[], byte[]> context;
    private int left = MOST_REPORTS;

    ReductionEvents(AvroCodec codec, ReductionMetrics metrics, ProcessorContext<byte[], byte[]> context) {
        this.codec = codec;
        this.metrics = metrics;
        this.context = context;
    }

    /** Writes that a condition begins, or goes on, to hold, or is over, and has it committed at once. */
    void condition(NodeConditions node, String condition, TrackedMetric.Outcome outcome, long at, String message) {
        write(
                node,
                event(node, condition, at)
                        .setMessage(message)
                        .setActive(outcome != TrackedMetric.Outcome.OVER)
                        .build());
        context.commit();
        metrics.event(outcome);
    }

    /** Returns whether values may be told. */
    boolean mayTell() {
        return left > 0;
    }

    /** Writes all values of a node. */
    void values(NodeConditions node, List<Measurement> values, long now) {
        left--;
        write(node, event(node, VALUES, now).setMeasurements(values).build());
        metrics.report();
    }

    /** Lets as many values be told again. */
    void refill() {
        left = MOST_REPORTS;
    }

    private static GenericEvent.Builder event(NodeConditions node, String name, long at) {
        return GenericEvent.newBuilder()
                .setCluster(node.cluster())
                .setName(name)
                .setObjectType("node")
                .setObjectId(node.nodeId())
                .setTime(Instant.ofEpochMilli(at))
                .setSource(SOURCE);
    }

    private void write(NodeConditions node, GenericEvent event) {
        context.forward(
                new Record<>(
                        new EntityKey(node.cluster(), node.nodeId()).toBytes(),
                        codec.encode(Topics.MONITORING_EVENTS, event),
                        context.currentSystemTimeMs(),
                        new RecordHeaders()),
                ReductionTopology.EVENTS);
    }
}
