package io.weir.scheduler.journal;

import io.weir.topics.Topic;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Where the stream puts records; all of them belong to the transaction of the input being processed. */
public interface RecordSink {
    /** Sends a record; the partition follows from the key's cluster. */
    void send(Topic<?> topic, byte @Nullable [] key, byte @Nullable [] value, long timestamp, Headers headers);

    /** Asks for a commit as soon as the current input is done. */
    void requestCommit();
}
