package io.weir.loop.log;

import io.weir.loop.log.GroupMember.Standing;
import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A consumer, assigned by hand or by its group. */
final class SimulatedConsumer implements PlainConsumer {
    private static final int CALL_MICROS = 400;
    private static final int DEFAULT_SESSION_MILLIS = 45_000;
    private static final int DEFAULT_RECORDS = 500;
    private static final int NO_GENERATION = -1;

    private final SimulatedLog log;
    private final Turns turns;
    private final SimulatedProcess process;
    private final @Nullable String group;
    private final Optional<String> instance;
    private final boolean committedOnly;
    private final String reset;
    private final int mostRecords;
    private final long apiMicros;
    private final long sessionMicros;
    private final Map<TopicPartition, Reading> assigned = new LinkedHashMap<>();
    private List<String> subscribed = List.of();
    private @Nullable ConsumerRebalanceListener listener;
    private @Nullable GroupMember member;
    private boolean closed;

    /** How far an assigned partition was read. */
    private static final class Reading {
        private final PartitionLog records;
        private boolean paused;

        /** Where to go on; null when that is to be found out. */
        private @Nullable Long position;

        Reading(PartitionLog records) {
            this.records = records;
        }
    }

    SimulatedConsumer(SimulatedLog log, Turns turns, SimulatedProcess process, Map<String, ?> given) {
        ClientSettings settings = new ClientSettings(given);
        this.log = log;
        this.turns = turns;
        this.process = process;
        this.group = settings.text(ConsumerConfig.GROUP_ID_CONFIG).orElse(null);
        this.instance = settings.text(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        this.committedOnly = settings.text(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted")
                .equals("read_committed");
        this.reset = settings.text(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        this.mostRecords = settings.number(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, DEFAULT_RECORDS);
        this.apiMicros = settings.micros(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 60_000);
        this.sessionMicros = settings.micros(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, DEFAULT_SESSION_MILLIS);
    }

    @Override
    public Set<TopicPartition> assignment() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(assigned.keySet()));
    }

    @Override
    public Set<String> subscription() {
        return Set.copyOf(subscribed);
    }

    @Override
    public void subscribe(Collection<String> topics, ConsumerRebalanceListener rebalances) {
        subscribed = List.copyOf(topics);
        listener = rebalances;
    }

    @Override
    public void assign(Collection<TopicPartition> partitions) {
        begin();
        assigned.keySet().retainAll(partitions);
        partitions.forEach(this::read);
    }

    /** Follows its group with every poll anyway. */
    @Override
    public void enforceRebalance(String reason) {}

    @Override
    public void unsubscribe() {
        leave();
        assigned.clear();
        subscribed = List.of();
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        begin();
        long deadline = turns.now() + timeout.toNanos() / 1_000;
        if (!log.isAway()) {
            followGroup();
        }
        turns.awaitUntil(deadline, () -> !log.isAway() && (hasRecords() || isMoved()));
        if (log.isAway()) {
            return ConsumerRecords.empty();
        }
        followGroup();
        return fetch();
    }

    private Reading read(TopicPartition partition) {
        return assigned.computeIfAbsent(partition, added -> new Reading(log.partition(added)));
    }

    private Reading reading(TopicPartition partition) {
        Reading reading = assigned.get(partition);
        if (reading == null) {
            throw new IllegalStateException("No current assignment for partition " + partition);
        }
        return reading;
    }

    private boolean hasRecords() {
        for (Reading reading : assigned.values()) {
            @Nullable Long position = reading.position;
            if (!reading.paused && (position == null || reading.records.hasMore(position, committedOnly))) {
                return true;
            }
        }
        return false;
    }

    /** Says whether the group has other ideas of what is read here; a member never loses a partition. */
    private boolean isMoved() {
        GroupMember known = member;
        return !subscribed.isEmpty()
                && (known == null
                        || known.standing() != Standing.MEMBER
                        || known.partitions().size() != assigned.size());
    }

    private void followGroup() {
        ConsumerRebalanceListener told = listener;
        if (!isMoved() || told == null || group == null) {
            return;
        }
        GroupMember known = member;
        if (known != null && known.standing() == Standing.REPLACED) {
            throw new FencedInstanceIdException("Instance " + instance + " is another by now");
        }
        if (known != null && known.standing() == Standing.GONE) {
            Set<TopicPartition> lost = new LinkedHashSet<>(assigned.keySet());
            assigned.clear();
            member = null;
            known = null;
            told.onPartitionsLost(lost);
        }
        if (known == null) {
            known = log.join(group, instance, process, subscribed, sessionMicros);
            member = known;
        }
        Set<TopicPartition> added = new LinkedHashSet<>(known.partitions());
        added.removeAll(assigned.keySet());
        if (!added.isEmpty()) {
            added.forEach(this::read);
            told.onPartitionsAssigned(added);
        }
    }

    private ConsumerRecords<byte[], byte[]> fetch() {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> fetched = new LinkedHashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        int left = mostRecords;
        List<Reading> order = new ArrayList<>(assigned.values());
        Collections.shuffle(order, turns.random());
        for (Reading reading : order) {
            if (reading.paused || left == 0) {
                continue;
            }
            TopicPartition partition = reading.records.name();
            long from = placed(reading);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            long to = reading.records.read(
                    from, committedOnly, left, record -> records.add(SimulatedLog.delivered(partition, record)));
            reading.position = to;
            next.put(partition, new OffsetAndMetadata(to));
            left -= records.size();
            if (!records.isEmpty()) {
                fetched.put(partition, records);
            }
        }
        return new ConsumerRecords<>(fetched, next);
    }

    /** Returns the position, which is found out if it is not known, and set anew if nothing is there any more. */
    private long placed(Reading reading) {
        PartitionLog records = reading.records;
        TopicPartition partition = records.name();
        @Nullable Long position = reading.position;
        if (position == null) {
            @Nullable
            OffsetAndMetadata committed =
                    group == null ? null : committed(Set.of(partition)).get(partition);
            position = committed == null ? null : committed.offset();
        }
        if (position == null) {
            if (reset.equals("none")) {
                throw new NoOffsetForPartitionException(partition);
            }
            position = resetPosition(records);
        } else if (position < records.beginning() || position > records.end()) {
            if (reset.equals("none")) {
                throw new OffsetOutOfRangeException(Map.of(partition, position));
            }
            position = resetPosition(records);
        }
        reading.position = position;
        return position;
    }

    private long resetPosition(PartitionLog records) {
        return reset.equals("earliest") ? records.beginning() : records.end(committedOnly);
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
        begin();
        awaitBroker("commitSync");
        log.checkMember(groupMetadata());
        log.commit(groupId(), offsets);
    }

    @Override
    public void commitAsync(Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable OffsetCommitCallback callback) {
        begin();
        @Nullable Exception failure = log.isAway() ? new TimeoutException("The broker is away") : null;
        if (failure == null) {
            log.commit(groupId(), offsets);
        }
        if (callback != null) {
            callback.onComplete(offsets, failure);
        }
    }

    private String groupId() {
        if (group == null) {
            throw new IllegalStateException("The consumer has no group.id");
        }
        return group;
    }

    @Override
    public void seek(TopicPartition partition, long offset) {
        process.requireAlive();
        reading(partition).position = offset;
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> partitions) {
        begin();
        partitions.forEach(partition -> {
            Reading reading = reading(partition);
            reading.position = reading.records.beginning();
        });
    }

    @Override
    public void seekToEnd(Collection<TopicPartition> partitions) {
        begin();
        partitions.forEach(partition -> {
            Reading reading = reading(partition);
            reading.position = reading.records.end(committedOnly);
        });
    }

    @Override
    public long position(TopicPartition partition) {
        process.requireAlive();
        awaitBroker("position");
        return placed(reading(partition));
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        begin();
        awaitBroker("committed");
        if (!turns.awaitUntil(
                turns.now() + apiMicros,
                () -> partitions.stream().noneMatch(partition -> log.isUnstable(groupId(), partition)))) {
            throw new TimeoutException("Positions of " + group + " are in an open transaction");
        }
        Map<TopicPartition, OffsetAndMetadata> known = log.positions(groupId());
        known.keySet().retainAll(partitions);
        return known;
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        begin();
        awaitBroker("partitionsFor");
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int i = 0; i < log.partitions(topic); i++) {
            Node[] nodes = {Node.noNode()};
            partitions.add(new PartitionInfo(topic, i, Node.noNode(), nodes, nodes));
        }
        return partitions;
    }

    @Override
    public Set<TopicPartition> paused() {
        Set<TopicPartition> paused = new LinkedHashSet<>();
        assigned.forEach((partition, reading) -> {
            if (reading.paused) {
                paused.add(partition);
            }
        });
        return paused;
    }

    @Override
    public void pause(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> reading(partition).paused = true);
    }

    @Override
    public void resume(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> reading(partition).paused = false);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
        return offsets(partitions, PartitionLog::beginning);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
        return offsets(partitions, partition -> partition.end(committedOnly));
    }

    private Map<TopicPartition, Long> offsets(
            Collection<TopicPartition> partitions, ToLongFunction<PartitionLog> which) {
        begin();
        awaitBroker("offsets");
        Map<TopicPartition, Long> offsets = new HashMap<>();
        partitions.forEach(partition -> offsets.put(partition, which.applyAsLong(log.partition(partition))));
        return offsets;
    }

    @Override
    @SuppressWarnings("removal") // only a consumer may make one, and this is one
    public ConsumerGroupMetadata groupMetadata() {
        GroupMember known = member;
        return known == null
                ? new ConsumerGroupMetadata(groupId(), NO_GENERATION, "", instance)
                : new ConsumerGroupMetadata(groupId(), known.generation(), known.id(), instance);
    }

    @Override
    public void close() {
        if (process.isAlive() && !closed) {
            closed = true;
            leave();
        }
    }

    private void leave() {
        GroupMember known = member;
        ConsumerRebalanceListener told = listener;
        if (known == null || group == null || told == null) {
            return;
        }
        if (!assigned.isEmpty()) {
            told.onPartitionsRevoked(new LinkedHashSet<>(assigned.keySet()));
        }
        if (instance.isEmpty() && !log.isAway() && known.standing() == Standing.MEMBER) {
            log.leave(group, known);
        }
        member = null;
    }

    private void begin() {
        turns.work(CALL_MICROS);
        process.requireAlive();
        if (closed) {
            throw new IllegalStateException("This consumer has already been closed.");
        }
    }

    private void awaitBroker(String what) {
        if (!turns.awaitUntil(turns.now() + apiMicros, () -> !log.isAway())) {
            throw new TimeoutException("Timeout of " + apiMicros / 1_000 + "ms expired: " + what);
        }
    }
}
