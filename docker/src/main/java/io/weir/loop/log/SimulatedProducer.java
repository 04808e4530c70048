package io.weir.loop.log;

import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.jspecify.annotations.Nullable;

/**
 * A producer. What is sent reaches the broker a little later, each partition in order, the partitions among each other in
 * any; a process that dies takes with it what was under way. A producer that is not idempotent may write twice what was
 * under way when the broker went away.
 */
final class SimulatedProducer implements Producer<byte[], byte[]> {
    private static final int CALL_MICROS = 300;
    private static final int DELIVERY_MICROS = 2_500;
    private static final int PARTIAL_DELIVERY = 6;
    private static final int NO_EPOCH = -1;

    private final SimulatedLog log;
    private final Turns turns;
    private final SimulatedProcess process;
    private final @Nullable String transactionalId;
    private final boolean idempotent;
    private final boolean compressed;
    private final int maxRequestBytes;
    private final long blockMicros;
    private final long deliveryMicros;
    private final long transactionMicros;
    private final @Nullable Partitioner partitioner;
    private final List<SentRecord> underWay = new ArrayList<>();
    private boolean deliveryDue;
    private boolean metTrouble;
    private int epoch = NO_EPOCH;
    private boolean inTransaction;
    private @Nullable Transaction transaction;

    /** Why the transaction at hand can only be aborted; null when it can be committed. */
    private @Nullable RuntimeException abortable;

    /** Why nothing can be done any more; null when something can. */
    private @Nullable RuntimeException fatal;

    SimulatedProducer(SimulatedLog log, Turns turns, SimulatedProcess process, Map<String, ?> given) {
        ClientSettings settings = new ClientSettings(given);
        this.log = log;
        this.turns = turns;
        this.process = process;
        this.transactionalId =
                settings.text(ProducerConfig.TRANSACTIONAL_ID_CONFIG).orElse(null);
        this.idempotent = settings.flag(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        this.compressed =
                !settings.text(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none").equals("none");
        this.maxRequestBytes = settings.number(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 1 << 20);
        this.blockMicros = settings.micros(ProducerConfig.MAX_BLOCK_MS_CONFIG, 60_000);
        this.deliveryMicros = settings.micros(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 120_000);
        this.transactionMicros = settings.micros(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 60_000);
        this.partitioner = partitioner(given.get(ProducerConfig.PARTITIONER_CLASS_CONFIG));
    }

    private static @Nullable Partitioner partitioner(@Nullable Object given) {
        if (given == null) {
            return null;
        }
        try {
            Class<?> type = given instanceof Class<?> named ? named : Class.forName(String.valueOf(given));
            return (Partitioner) type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new KafkaException("Cannot make partitioner " + given, e);
        }
    }

    @Override
    public void initTransactions() {
        begin();
        awaitBroker("initTransactions");
        epoch = log.initTransactions(id());
    }

    @Override
    public void beginTransaction() {
        begin();
        if (epoch == NO_EPOCH || inTransaction) {
            throw new IllegalStateException("beginTransaction in the wrong order");
        }
        inTransaction = true;
        abortable = null;
    }

    @Override
    public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata groupMetadata) {
        begin();
        requireTransaction();
        awaitBroker("sendOffsetsToTransaction");
        try {
            log.checkMember(groupMetadata);
            begun().position(groupMetadata.groupId(), offsets);
        } catch (IllegalGenerationException | UnknownMemberIdException e) {
            abortable = new CommitFailedException("Positions were not taken: " + e.getMessage());
            throw abortable;
        } catch (FencedInstanceIdException e) {
            abortable = e;
            throw e;
        }
    }

    @Override
    public void commitTransaction() {
        begin();
        requireTransaction();
        flushUnderWay();
        if (abortable != null) {
            throw new KafkaException("The transaction can only be aborted: " + abortable.getMessage(), abortable);
        }
        end(true);
    }

    @Override
    public void abortTransaction() {
        begin();
        if (!inTransaction) {
            throw new IllegalStateException("There is no transaction to abort");
        }
        underWay.forEach(sent -> sent.failed(new KafkaException("The transaction is aborted")));
        underWay.clear();
        end(false);
    }

    private void end(boolean commit) {
        @Nullable Transaction open = transaction;
        if (open != null) {
            boolean arrived = !log.isAway() || turns.random().nextBoolean();
            if (arrived) {
                requireLatest();
                if (!open.isOpen()) {
                    throw fence(new InvalidProducerEpochException("The transaction timed out"));
                }
                log.end(open, commit);
            }
            awaitBroker(commit ? "commitTransaction" : "abortTransaction");
            if (!arrived) {
                requireLatest();
                log.end(open, commit);
            }
        }
        transaction = null;
        inTransaction = false;
        abortable = null;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        return send(record, null);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
        begin();
        if (transactionalId != null) {
            requireTransaction();
            if (abortable != null) {
                throw new KafkaException("The transaction can only be aborted: " + abortable.getMessage(), abortable);
            }
        }
        SentRecord sent = new SentRecord(turns, record, partition(record), turns.now() + deliveryMicros, callback);
        int bytes = StoredRecord.bytes(record.key(), record.value(), record.headers());
        if (bytes > maxRequestBytes) {
            fail(
                    sent,
                    new RecordTooLargeException("The message is " + bytes
                            + " bytes when serialized which is larger than " + maxRequestBytes
                            + ", which is the value of the max.request.size configuration."));
        } else {
            underWay.add(sent);
            scheduleDelivery();
        }
        return sent;
    }

    private TopicPartition partition(ProducerRecord<byte[], byte[]> record) {
        int partitions = log.partitions(record.topic());
        if (record.partition() != null) {
            return new TopicPartition(record.topic(), record.partition());
        }
        if (partitioner == null || partitions <= 1) {
            return new TopicPartition(record.topic(), 0);
        }
        Cluster cluster = new Cluster("simulated", List.of(), partitionsFor(record.topic()), Set.of(), Set.of());
        return new TopicPartition(
                record.topic(),
                partitioner.partition(
                        record.topic(), record.key(), record.key(), record.value(), record.value(), cluster));
    }

    private void scheduleDelivery() {
        if (!deliveryDue) {
            deliveryDue = true;
            turns.at(turns.now() + turns.random().nextInt(DELIVERY_MICROS), this::deliver);
        }
    }

    /** Takes what is under way, or some of it, to the broker. */
    private void deliver() {
        deliveryDue = false;
        if (!process.isAlive() || underWay.isEmpty()) {
            return;
        }
        if (process.isFrozen() || log.isAway()) {
            metTrouble |= log.isAway();
            expire();
            deliveryDue = true;
            turns.at(turns.now() + CALL_MICROS * 500L, this::deliver);
            return;
        }
        boolean all = turns.random().nextInt(PARTIAL_DELIVERY) > 0;
        Set<TopicPartition> later = new LinkedHashSet<>();
        for (SentRecord sent : List.copyOf(underWay)) {
            if (!all && turns.random().nextInt(PARTIAL_DELIVERY) == 0) {
                later.add(sent.partition());
            }
            if (!later.contains(sent.partition()) && underWay.remove(sent)) {
                write(sent);
            }
        }
        if (underWay.isEmpty()) {
            metTrouble = false;
            turns.signal();
        } else {
            scheduleDelivery();
        }
    }

    private void write(SentRecord sent) {
        ProducerRecord<byte[], byte[]> record = sent.record();
        PartitionLog partition = log.partition(sent.partition());
        if (size(record, partition.shape().maxRecordBytes()) > partition.shape().maxRecordBytes()) {
            fail(
                    sent,
                    new RecordTooLargeException(
                            "The request included a message larger than the max message size the server will accept."));
            return;
        }
        @Nullable Transaction into = null;
        if (transactionalId != null) {
            try {
                into = begun();
            } catch (InvalidProducerEpochException e) {
                fail(sent, fence(e));
                return;
            }
        }
        long timestamp = record.timestamp() == null ? process.wallMillis() : record.timestamp();
        int copies = !idempotent && metTrouble && turns.random().nextBoolean() ? 2 : 1;
        long offset = 0;
        for (int i = 0; i < copies; i++) {
            offset = partition.append(timestamp, record.key(), record.value(), record.headers(), into);
        }
        if (into == null) {
            log.visible(partition);
        }
        sent.written(offset, timestamp);
    }

    /** Returns the size of {@code record} at the broker; it is compressed only if it has to be to fit in {@code most}. */
    private int size(ProducerRecord<byte[], byte[]> record, int most) {
        int bytes = StoredRecord.bytes(record.key(), record.value(), record.headers());
        return bytes <= most || !compressed || record.value() == null
                ? bytes
                : StoredRecord.bytes(record.key(), zipped(record.value()), record.headers());
    }

    private static byte[] zipped(byte[] value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void expire() {
        for (SentRecord sent : List.copyOf(underWay)) {
            if (turns.now() > sent.deadline()) {
                underWay.remove(sent);
                fail(sent, new TimeoutException("Expired before it could be written to " + sent.partition()));
            }
        }
    }

    private void fail(SentRecord sent, RuntimeException cause) {
        if (inTransaction) {
            abortable = cause;
        }
        sent.failed(cause);
    }

    @Override
    public void flush() {
        begin();
        flushUnderWay();
    }

    private void flushUnderWay() {
        turns.awaitUntil(Long.MAX_VALUE, underWay::isEmpty);
        if (fatal != null) {
            throw fatal;
        }
    }

    private String id() {
        if (transactionalId == null) {
            throw new IllegalStateException("The producer has no transactional.id");
        }
        return transactionalId;
    }

    /** Returns the transaction at the broker, which begins with the first write. */
    private Transaction begun() {
        log.check(id(), epoch);
        Transaction open = transaction;
        if (open == null) {
            open = log.begin(id(), epoch, transactionMicros);
            transaction = open;
        } else if (!open.isOpen()) {
            throw new InvalidProducerEpochException("The transaction timed out");
        }
        return open;
    }

    private void requireLatest() {
        try {
            log.check(id(), epoch);
        } catch (InvalidProducerEpochException e) {
            throw fence(e);
        }
    }

    private RuntimeException fence(InvalidProducerEpochException cause) {
        ProducerFencedException fenced = new ProducerFencedException(cause.getMessage());
        fatal = fenced;
        underWay.forEach(sent -> sent.failed(fenced));
        underWay.clear();
        return fenced;
    }

    private void requireTransaction() {
        if (!inTransaction) {
            throw new IllegalStateException("There is no transaction");
        }
    }

    private void begin() {
        turns.work(CALL_MICROS);
        process.requireAlive();
        if (fatal != null) {
            throw fatal;
        }
    }

    private void awaitBroker(String what) {
        if (!turns.awaitUntil(turns.now() + blockMicros, () -> !log.isAway())) {
            throw new TimeoutException("Timeout expired after " + blockMicros / 1_000 + "ms while awaiting " + what);
        }
    }

    @Override
    public void close() {
        close(Duration.ofMillis(Long.MAX_VALUE / 2_000));
    }

    @Override
    public void close(Duration timeout) {
        process.requireAlive();
        if (!timeout.isZero()) {
            turns.awaitUntil(turns.now() + timeout.toMillis() * 1_000, underWay::isEmpty);
            if (transaction != null && transaction.isOpen() && !log.isAway()) {
                log.end(transaction, false);
            }
        }
        underWay.clear();
        fatal = new IllegalStateException("Cannot perform operation after producer has been closed");
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int i = 0; i < log.partitions(topic); i++) {
            Node[] nodes = {Node.noNode()};
            partitions.add(new PartitionInfo(topic, i, Node.noNode(), nodes, nodes));
        }
        return partitions;
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return Map.of();
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        return Uuid.ZERO_UUID;
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {}

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {}
}
