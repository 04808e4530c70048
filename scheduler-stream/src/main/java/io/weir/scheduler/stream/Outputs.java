package io.weir.scheduler.stream;

import io.weir.scheduler.journal.ClosedIteration;
import io.weir.scheduler.journal.OutputRecord;
import io.weir.schemas.Iteration;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Puts out what an iteration decided: its outputs in order, then its record in the journal. Everything carries the
 * iteration's instant as its timestamp.
 */
final class Outputs {
    private final AvroCodec codec;
    private final RecordSink sink;

    Outputs(AvroCodec codec, RecordSink sink) {
        this.codec = codec;
        this.sink = sink;
    }

    void publish(ClosedIteration closed) {
        for (OutputRecord output : closed.outputs()) {
            sink.send(
                    output.topic(),
                    output.keyBytes(),
                    encode(output.topic(), output.value()),
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

    private byte @Nullable [] encode(Topic<?> topic, @Nullable SpecificRecord value) {
        return value == null ? null : encodeAs(topic, value);
    }

    private <T extends SpecificRecord> byte[] encodeAs(Topic<T> topic, SpecificRecord value) {
        return codec.encode(topic, topic.type().cast(value));
    }
}
