package io.weir.loop.log;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;

/** The many forms of Kafka's consumer that come down to another one, and those that nobody here needs. */
interface PlainConsumer extends Consumer<byte[], byte[]> {

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("The simulated consumer does not do this; add it where it is needed");
    }

    @Override
    default void subscribe(Collection<String> topics) {
        throw unused();
    }

    @Override
    default void subscribe(Pattern pattern, ConsumerRebalanceListener listener) {
        throw unused();
    }

    @Override
    default void subscribe(Pattern pattern) {
        throw unused();
    }

    @Override
    default void subscribe(SubscriptionPattern pattern, ConsumerRebalanceListener listener) {
        throw unused();
    }

    @Override
    default void subscribe(SubscriptionPattern pattern) {
        throw unused();
    }

    @Override
    default void commitSync() {
        throw unused();
    }

    @Override
    default void commitSync(Duration timeout) {
        throw unused();
    }

    @Override
    default void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
        commitSync(offsets);
    }

    @Override
    default void commitAsync() {
        throw unused();
    }

    @Override
    default void commitAsync(OffsetCommitCallback callback) {
        throw unused();
    }

    @Override
    default void seek(TopicPartition partition, OffsetAndMetadata offset) {
        seek(partition, offset.offset());
    }

    @Override
    default long position(TopicPartition partition, Duration timeout) {
        return position(partition);
    }

    @Override
    default Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
        return committed(partitions);
    }

    @Override
    default List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
        return partitionsFor(topic);
    }

    @Override
    default Map<String, List<PartitionInfo>> listTopics() {
        throw unused();
    }

    @Override
    default Map<String, List<PartitionInfo>> listTopics(Duration timeout) {
        throw unused();
    }

    @Override
    default Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
        throw unused();
    }

    @Override
    default Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times, Duration timeout) {
        throw unused();
    }

    @Override
    default Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions, Duration timeout) {
        return beginningOffsets(partitions);
    }

    @Override
    default Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions, Duration timeout) {
        return endOffsets(partitions);
    }

    @Override
    default OptionalLong currentLag(TopicPartition partition) {
        throw unused();
    }

    @Override
    default void enforceRebalance() {
        throw unused();
    }

    @Override
    default void enforceRebalance(String reason) {
        throw unused();
    }

    @Override
    @SuppressWarnings("deprecation") // still part of the interface
    default void close(Duration timeout) {
        close();
    }

    @Override
    default void close(CloseOptions options) {
        close();
    }

    @Override
    default void wakeup() {
        throw unused();
    }

    @Override
    default Uuid clientInstanceId(Duration timeout) {
        return Uuid.ZERO_UUID;
    }

    @Override
    default Map<MetricName, ? extends Metric> metrics() {
        return Map.of();
    }

    @Override
    default void registerMetricForSubscription(KafkaMetric metric) {}

    @Override
    default void unregisterMetricFromSubscription(KafkaMetric metric) {}
}
