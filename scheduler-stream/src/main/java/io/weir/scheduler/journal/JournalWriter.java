package io.weir.scheduler.journal;

import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.state.JournalStatus;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.Iteration;
import io.weir.schemas.IterationTrigger;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Writes the journal of one cluster: every input as it is accepted, and behind it the iteration that answers it, after the
 * outputs that this iteration decided on. Numbers and digests go on where the last writer stopped. One thread.
 */
public final class JournalWriter {
    private final JournalChain chain;
    private final AvroCodec codec;
    private final RecordSink sink;
    private final String build;

    /**
     * Creates a writer.
     *
     * @param status where the journal stands; null for an empty one
     * @param build names the running program in each iteration
     */
    public JournalWriter(
            String cluster, @Nullable JournalStatus status, AvroCodec codec, RecordSink sink, String build) {
        this.chain = status == null ? new JournalChain(cluster) : new JournalChain(status);
        this.codec = codec;
        this.sink = sink;
        this.build = build;
    }

    /** Returns the end of the journal, for reading. */
    public JournalChain chain() {
        return chain;
    }

    /** Writes an accepted input, as it was received. */
    public void write(Input input) {
        JournalEntry entry = chain.append(input);
        sink.send(Topics.JOURNAL, input.key(), input.value(), input.timestamp(), entry.toHeaders());
    }

    /**
     * Closes the iteration under way; nothing is written yet.
     *
     * @param answers the heartbeat it answers; null for none
     */
    public ClosedIteration close(
            IterationResult result, IterationTrigger trigger, @Nullable HeartbeatReference answers) {
        return chain.close(result, trigger, answers, build);
    }

    /**
     * Writes the outputs of an iteration in order, then its record in the journal. Everything carries the iteration's instant
     * as its timestamp.
     */
    public void write(ClosedIteration closed) {
        for (OutputRecord output : closed.outputs()) {
            sink.send(
                    output.topic(),
                    output.keyBytes(),
                    withHeader(output.topic(), output.payload()),
                    output.timestamp(),
                    output.headers());
        }
        Iteration iteration = closed.iteration();
        RecordHeaders headers = new RecordHeaders();
        FactHeaders.KIND.put(headers, FactHeaders.KIND_ITERATION);
        FactHeaders.ITERATION.put(headers, iteration.getNumber());
        sink.send(
                Topics.JOURNAL,
                EntityKey.ofCluster(iteration.getCluster()).toBytes(),
                codec.encode(Topics.JOURNAL, iteration),
                iteration.getNow().toEpochMilli(),
                headers);
    }

    private byte @Nullable [] withHeader(Topic<?> topic, byte @Nullable [] payload) {
        return payload == null ? null : codec.withHeader(topic, payload);
    }
}
