package io.weir.scheduler.stream;

import io.weir.scheduler.state.PartitionIntake;
import io.weir.scheduler.state.TopicPosition;
import io.weir.scheduler.stream.pacing.Backlog;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** How far one partition of the inputs has been taken in, topic by topic. Owned by the stream thread. */
final class InputPositions {
    private final int partition;
    private final Backlog backlog;
    /** Next offset by topic; what lies before has been taken in. */
    private final SortedMap<String, Long> next = new TreeMap<>();

    private final Map<String, TopicPartition> inputs = new LinkedHashMap<>();

    /** Begins where {@code stored} ends; {@code backlog} knows what has been read. */
    InputPositions(TopicNames names, PartitionIntake stored, Backlog backlog) {
        this.partition = stored.getPartition();
        this.backlog = backlog;
        stored.getPositions().forEach(position -> next.put(position.getTopic(), position.getNext()));
        for (Topic<?> input : SchedulerTopology.inputs()) {
            inputs.put(input.name(), new TopicPartition(names.full(input), partition));
        }
    }

    /** Returns the next offset of {@code topic}; 0 when nothing of it has been taken in. */
    long next(String topic) {
        return next.getOrDefault(topic, 0L);
    }

    /** Notes that the record at {@code offset} has been taken in. */
    void taken(String topic, long offset) {
        next.put(topic, offset + 1);
    }

    /** Says whether inputs have been read that are not taken in yet. */
    boolean inputsWait() {
        return inputs.entrySet().stream().anyMatch(input -> backlog.waits(input.getValue(), next(input.getKey())));
    }

    /** Returns how many inputs have been read that are not taken in yet; offsets without a record count, too. */
    int backlog() {
        long sum = 0;
        for (Map.Entry<String, TopicPartition> input : inputs.entrySet()) {
            sum += backlog.waiting(input.getValue(), next(input.getKey()));
        }
        return (int) Math.min(sum, Integer.MAX_VALUE);
    }

    /** Returns the record for the store. */
    PartitionIntake toRecord() {
        List<TopicPosition> list = new ArrayList<>(next.size());
        next.forEach((topic, offset) -> list.add(new TopicPosition(topic, offset)));
        return new PartitionIntake(partition, list);
    }
}
