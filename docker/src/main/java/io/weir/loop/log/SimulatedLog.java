package io.weir.loop.log;

import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * The broker. Clients are made per process; what they share is here. Everything happens within turns, so nothing needs a
 * lock.
 */
public final class SimulatedLog {
    private final Turns turns;
    private final LogFaults faults;
    private final Map<String, List<PartitionLog>> topics = new TreeMap<>();
    private final Map<String, Group> groups = new HashMap<>();
    private final Map<String, TransactionalId> transactionalIds = new HashMap<>();
    private final List<Transaction> transactions = new ArrayList<>();
    private final Map<PartitionLog, Long> announced = new HashMap<>();
    private CommitListener listener = record -> {};
    private long awayUntil;
    private long members;

    /** What the coordinator knows of a transactional id. */
    private static final class TransactionalId {
        private int epoch = -1;
        private @Nullable Transaction transaction;
    }

    /** Creates a broker without topics. */
    public SimulatedLog(Turns turns, LogFaults faults) {
        this.turns = turns;
        this.faults = faults;
    }

    /** Tells {@code committed} of every record that can be read from now on. */
    public void listen(CommitListener committed) {
        listener = committed;
    }

    /** Makes a topic. */
    public void create(String topic, TopicShape shape) {
        List<PartitionLog> partitions = new ArrayList<>();
        for (int i = 0; i < shape.partitions(); i++) {
            partitions.add(new PartitionLog(new TopicPartition(topic, i), shape));
        }
        topics.put(topic, partitions);
    }

    /** Opens a producer for {@code process}; {@code settings} are Kafka's. */
    public Producer<byte[], byte[]> producer(SimulatedProcess process, Map<String, ?> settings) {
        return new SimulatedProducer(this, turns, process, settings);
    }

    /** Opens a consumer for {@code process}; {@code settings} are Kafka's. */
    public Consumer<byte[], byte[]> consumer(SimulatedProcess process, Map<String, ?> settings) {
        return new SimulatedConsumer(this, turns, process, settings);
    }

    /** Opens an administrator's client for {@code process}; it knows where partitions end. */
    public Admin admin(SimulatedProcess process) {
        return SimulatedAdmin.open(this, turns, process);
    }

    /** Makes the broker unreachable until {@code micros}. */
    public void awayUntil(long micros) {
        awayUntil = Math.max(awayUntil, micros);
        turns.at(awayUntil, turns::signal);
    }

    /** Says whether the broker can be reached. */
    public boolean isAway() {
        return turns.now() < awayUntil;
    }

    /** Deletes records of {@code topic} that are older than {@code timestamp}, if all before them are, too. */
    public void retain(String topic, long timestamp) {
        for (PartitionLog partition : topics.getOrDefault(topic, List.of())) {
            long[] first = {partition.stableEnd()};
            partition.read(partition.beginning(), true, Integer.MAX_VALUE, record -> {
                if (record.timestamp() >= timestamp) {
                    first[0] = Math.min(first[0], record.offset());
                }
            });
            partition.deleteBefore(first[0]);
        }
    }

    /** Compacts {@code topic}; with {@code tombstones} deleted keys are forgotten. */
    public void compact(String topic, boolean tombstones) {
        topics.getOrDefault(topic, List.of()).forEach(partition -> partition.compact(tombstones));
    }

    /** Returns the committed records of a partition that are still there. */
    public List<ConsumerRecord<byte[], byte[]>> committed(TopicPartition partition) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        partition(partition).read(0, true, Integer.MAX_VALUE, record -> records.add(delivered(partition, record)));
        return records;
    }

    /** Returns how many partitions {@code topic} has; 0 when there is no such topic. */
    public int partitions(String topic) {
        return topics.getOrDefault(topic, List.of()).size();
    }

    /** Returns the time after which a segment of {@code topic} is closed. */
    public long segmentMillis(String topic) {
        return topics.getOrDefault(topic, List.of()).stream()
                .mapToLong(partition -> partition.shape().segmentMillis())
                .findFirst()
                .orElse(0);
    }

    /** Returns the first offset that is still there. */
    public long beginning(TopicPartition partition) {
        return partition(partition).beginning();
    }

    /** Returns the last stable offset. */
    public long stableEnd(TopicPartition partition) {
        return partition(partition).stableEnd();
    }

    /** Returns the committed positions of {@code group}. */
    public Map<TopicPartition, OffsetAndMetadata> positions(String group) {
        return new HashMap<>(group(group).positions());
    }

    /** Sets a position of {@code group}, as an administrator does. */
    public void place(String group, TopicPartition partition, long offset) {
        group(group).positions().put(partition, new OffsetAndMetadata(offset));
    }

    /** Writes a record at once and outside of any transaction, as a client of which nothing else is of interest. */
    public void append(
            TopicPartition partition, long timestamp, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        PartitionLog records = partition(partition);
        records.append(timestamp, key, value, headers, null);
        visible(records);
    }

    PartitionLog partition(TopicPartition partition) {
        List<PartitionLog> partitions = topics.get(partition.topic());
        if (partitions == null || partition.partition() >= partitions.size()) {
            throw new UnknownTopicOrPartitionException("There is no " + partition);
        }
        return partitions.get(partition.partition());
    }

    static ConsumerRecord<byte[], byte[]> delivered(TopicPartition partition, StoredRecord record) {
        return new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                record.offset(),
                record.timestamp(),
                TimestampType.CREATE_TIME,
                record.key() == null ? -1 : record.key().length,
                record.value() == null ? -1 : record.value().length,
                record.key(),
                record.value(),
                new RecordHeaders(record.headers()),
                Optional.empty());
    }

    /** Tells the listener, and whoever waits for records, what can be read now. */
    void visible(PartitionLog partition) {
        long from = announced.getOrDefault(partition, 0L);
        announced.put(
                partition,
                partition.read(
                        from,
                        true,
                        Integer.MAX_VALUE,
                        record -> listener.committed(delivered(partition.name(), record))));
        turns.signal();
    }

    // Transactions

    /** Registers a new producer of {@code id} and returns its epoch; what older ones had open is aborted. */
    int initTransactions(String id) {
        TransactionalId known = transactionalIds.computeIfAbsent(id, unseen -> new TransactionalId());
        Transaction open = known.transaction;
        if (open != null && open.isOpen() && !faults.noFencing()) {
            end(open, false);
        }
        known.epoch++;
        return known.epoch;
    }

    /** Begins a transaction of {@code id}; the broker aborts it after {@code timeoutMicros}. */
    Transaction begin(String id, int epoch, long timeoutMicros) {
        TransactionalId known = check(id, epoch);
        Transaction transaction = new Transaction(turns.now() + timeoutMicros);
        known.transaction = transaction;
        transactions.add(transaction);
        turns.at(transaction.deadline(), () -> expire(known, transaction));
        return transaction;
    }

    private void expire(TransactionalId id, Transaction transaction) {
        if (transaction.isOpen()) {
            if (isAway()) {
                turns.at(awayUntil, () -> expire(id, transaction));
                return;
            }
            if (id.transaction == transaction) {
                id.epoch++;
            }
            end(transaction, false);
        }
    }

    /** Throws when {@code epoch} of {@code id} is not the latest. */
    TransactionalId check(String id, int epoch) {
        TransactionalId known = transactionalIds.computeIfAbsent(id, unseen -> new TransactionalId());
        if (epoch < known.epoch && !faults.noFencing()) {
            throw new InvalidProducerEpochException(
                    "Producer of '" + id + "' has epoch " + epoch + ", the latest is " + known.epoch);
        }
        return known;
    }

    void end(Transaction transaction, boolean commit) {
        if (!transaction.isOpen()) {
            return;
        }
        transaction.end(commit, turns.wallMillis());
        transactions.remove(transaction);
        if (commit) {
            transaction
                    .positions()
                    .forEach((group, offsets) -> group(group).positions().putAll(offsets));
        }
        transaction.partitions().forEach(this::visible);
        turns.signal();
    }

    // Groups

    /** Throws unless {@code writer} may move positions. */
    void checkMember(ConsumerGroupMetadata writer) {
        if (!faults.noFencing()) {
            group(writer.groupId()).check(writer);
        }
    }

    void commit(String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        group(group).positions().putAll(offsets);
    }

    /** Says whether an open transaction may still move the position of {@code group}. */
    boolean isUnstable(String group, TopicPartition partition) {
        return transactions.stream().anyMatch(transaction -> transaction.moves(group, partition));
    }

    GroupMember join(
            String group, Optional<String> instance, SimulatedProcess process, List<String> read, long sessionMicros) {
        GroupMember member = new GroupMember(process.name() + "-" + members++, instance, process, read, sessionMicros);
        group(group).join(member, partitionsOf(read));
        turns.signal();
        watch(group, member);
        return member;
    }

    void leave(String group, GroupMember member) {
        group(group).leave(member, partitionsOf(member.topics()));
        turns.signal();
    }

    /** Looks at {@code member} whenever its session may be over. */
    private void watch(String group, GroupMember member) {
        turns.at(turns.now() + member.sessionMicros() / 4, () -> {
            if (member.standing() != GroupMember.Standing.MEMBER) {
                return;
            }
            if (!isAway() && member.isOverdue(turns.now(), awayUntil)) {
                leave(group, member);
            } else {
                watch(group, member);
            }
        });
    }

    private Group group(String name) {
        return groups.computeIfAbsent(name, unseen -> new Group());
    }

    private List<TopicPartition> partitionsOf(List<String> names) {
        return names.stream()
                .flatMap(name -> topics.getOrDefault(name, List.of()).stream())
                .map(PartitionLog::name)
                .toList();
    }
}
