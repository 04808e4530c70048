package io.weir.loop.log;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Is told of every record when it becomes visible to readers of committed records, in the order of its partition. */
@FunctionalInterface
public interface CommitListener {
    /** A record can be read. */
    void committed(ConsumerRecord<byte[], byte[]> record);
}
