package io.weir.standalone.broker;

import org.apache.kafka.common.TopicPartition;

/**
 * A transaction that a partition has records of, and no end.
 *
 * @param producerId its producer
 * @param epoch of its records
 * @param coordinatorEpoch of the coordinator that last ended one of that producer there
 * @param start offset of its first record there
 */
record OpenTransaction(TopicPartition partition, long producerId, int epoch, int coordinatorEpoch, long start) {}
