package io.weir.loop;

import io.weir.loop.host.StreamShape;
import io.weir.loop.log.SimulatedLog;
import io.weir.loop.log.TopicShape;
import io.weir.loop.site.NotifierProcess;
import io.weir.notifier.runtime.KafkaClients;
import io.weir.scheduler.stream.SchedulerTopology;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.RecordSize;
import io.weir.topics.Topic;
import io.weir.topics.Topic.Cleanup;
import io.weir.topics.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The topics of a site: what they are made like, where the inputs end, and how far they have been taken in. */
final class SiteTopics {
    static final String APPLICATION = "weir-scheduler";
    private static final List<String> CHANGELOGS = Stream.of("entities", "intake")
            .map(store -> StreamShape.changelog(APPLICATION, store))
            .toList();
    private static final long SEGMENT_MILLIS = 2_000;

    private final SimulatedLog log;
    private final int partitions;

    /** Makes the topics of {@code partitions} partitions on {@code log}. */
    SiteTopics(SimulatedLog log, int partitions) {
        this.log = log;
        this.partitions = partitions;
        makeTopics();
    }

    /** Returns the topics in which the scheduler's stores are kept. */
    static List<String> changelogs() {
        return CHANGELOGS;
    }

    private void makeTopics() {
        for (Topic<?> topic : Topics.all()) {
            log.create(
                    Site.NAMES.full(topic),
                    new TopicShape(
                            partitions, topic.cleanup() == Cleanup.COMPACT, RecordSize.most(topic), SEGMENT_MILLIS));
        }
        CHANGELOGS.forEach(changelog ->
                log.create(changelog, new TopicShape(partitions, true, RecordSize.LARGEST, SEGMENT_MILLIS)));
        for (Topic<?> input : SchedulerTopology.inputs()) {
            all(input).forEach(partition -> log.place(APPLICATION, partition, 0));
        }
    }

    /** Returns where the records of the troubled cluster are on a topic without its prefix. */
    TopicPartition place(String topic) {
        return new TopicPartition(Site.NAMES.prefix() + topic, ClusterPartitioner.partition(Site.CLUSTER, partitions));
    }

    private List<TopicPartition> all(Topic<?> topic) {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(Site.NAMES.full(topic), partition))
                .toList();
    }

    /** Returns where the inputs of the scheduler and of the notifier end. */
    Map<TopicPartition, Long> inputEnds() {
        Map<TopicPartition, Long> ends = new LinkedHashMap<>();
        for (Topic<?> input : SchedulerTopology.inputs()) {
            all(input).forEach(partition -> ends.put(partition, log.stableEnd(partition)));
        }
        // Behind the last record of a transaction lies its marker, which nobody takes in.
        for (Topic<?> inTransactions : List.of(Topics.DELIVERY_RESULTS, Topics.NOTIFICATIONS)) {
            all(inTransactions).forEach(partition -> ends.put(partition, lastRecordsEnd(partition)));
        }
        return ends;
    }

    private long lastRecordsEnd(TopicPartition partition) {
        List<ConsumerRecord<byte[], byte[]>> records = log.committed(partition);
        return records.isEmpty() ? 0 : records.get(records.size() - 1).offset() + 1;
    }

    /** Returns the offsets up to which the notifier has seen to notifications, by partition. */
    Map<Integer, Long> notificationsSeenTo() {
        Map<Integer, Long> offsets = new HashMap<>();
        log.positions(KafkaClients.groupOfChannel(Site.NAMES, NotifierProcess.CHANNEL))
                .forEach((partition, position) -> offsets.put(partition.partition(), position.offset()));
        return offsets;
    }

    /** Says which inputs have not been taken in up to {@code ends}. */
    List<String> untaken(Map<TopicPartition, Long> ends) {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>(log.positions(APPLICATION));
        positions.putAll(log.positions(KafkaClients.groupOfChannel(Site.NAMES, NotifierProcess.CHANNEL)));
        List<String> untaken = new ArrayList<>();
        ends.forEach((partition, end) -> {
            OffsetAndMetadata position = positions.get(partition);
            if (end > (position == null ? 0 : position.offset())) {
                untaken.add(partition + " was taken in up to " + position + " only, and ended at " + end);
            }
        });
        return untaken;
    }
}
