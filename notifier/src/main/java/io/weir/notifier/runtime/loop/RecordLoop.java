package io.weir.notifier.runtime.loop;

import io.weir.service.BrokerTrouble;
import io.weir.service.Readiness;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a topic record by record, has each handled, and records the outcome and the position in one transaction.
 *
 * <pre>
 *   taken ──handle──► settled ──write──► recorded (next)
 *     ▲  │                │  ▲
 *     └──┘ retry,         └──┘ write failed: written again,
 *     postpone, aside          never handled again
 * </pre>
 *
 * <p>Invariants: a record is handled only when every earlier one of its partition is settled, or set aside for a reason of its own; a settled record is handed
 * to the handler again only by another process, or after a crash; while it waits the consumer goes on polling, so it
 * stays in its group. Nothing is handled before its outcome could be written: the broker takes transactions, and the
 * registry knows the schemas. Owned by the thread that calls {@link #step}.
 */
public final class RecordLoop implements ConsumerRebalanceListener, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RecordLoop.class);
    private static final Duration LONGEST_POLL = Duration.ofMillis(200);
    private static final RetrySchedule TROUBLE =
            new RetrySchedule(Integer.MAX_VALUE, Duration.ofMillis(500), 2, Duration.ofSeconds(30));

    private final String topic;
    private final Consumer<byte[], byte[]> consumer;
    private final FirstPosition firstPosition;
    private final SettlementHistory history;
    private final SettlementLog settlements;
    private final TopicNames names;
    private final AvroCodec codec;
    private final RecordHandler handler;
    private final Readiness.Condition readiness;
    private final Clock clock;

    /** Fetched and not begun, in the order of their partitions. */
    private final Deque<ConsumerRecord<byte[], byte[]>> waiting = new ArrayDeque<>();

    /** Next position of partitions whose last records are settled without outputs; they go with the next transaction. */
    private final Map<TopicPartition, OffsetAndMetadata> passed = new HashMap<>();

    /**
     * Work on partitions that were taken away before it was recorded; used when they come back. They do so at once where an
     * attempt took longer than the group waits: what it came to would be forgotten, and the attempts never counted.
     */
    private final Map<TopicPartition, Work> orphans = new HashMap<>();

    /** Positions at which a process before this one had begun something that it did not finish. */
    private final Map<TopicPartition, Long> begun = new HashMap<>();

    private final Holdings holdings = new Holdings();

    private final Asides asides = new Asides();

    /** The group's positions, as written last. */
    private final Map<TopicPartition, Long> reached = new HashMap<>();

    /** Assigned partitions of which it could not be asked yet where to go on. The group tells of an assignment once. */
    private final Set<TopicPartition> unplaced = new HashSet<>();

    /** The record being handled; null between records. */
    private @Nullable Work work;

    /** Steps that failed in a row. */
    private int troubles;

    private boolean prepared;
    private boolean joined;

    /** Joins the group of {@code consumer} on {@code topic}; everything given is closed with this loop. */
    public RecordLoop(
            String topic,
            Consumer<byte[], byte[]> consumer,
            FirstPosition firstPosition,
            SettlementHistory history,
            SettlementLog settlements,
            TopicNames names,
            AvroCodec codec,
            RecordHandler handler,
            Readiness.Condition readiness,
            Clock clock) {
        this.topic = topic;
        this.consumer = consumer;
        this.firstPosition = firstPosition;
        this.history = history;
        this.settlements = settlements;
        this.names = names;
        this.codec = codec;
        this.handler = handler;
        this.readiness = readiness;
        this.clock = clock;
        consumer.subscribe(Set.of(topic), this);
    }

    /**
     * Polls once and, when a record is due, handles it and records the outcome. Comes back within a fraction of a second
     * unless handling takes longer.
     *
     * @return whether nothing failed; after a failure the next step should wait for {@link #backOff}
     * @throws KafkaException when this process was replaced by another with the same instance id
     */
    public boolean step() throws InterruptedException {
        try {
            prepare();
            poll();
            Work due = due();
            if (due != null) {
                if (due.settled == null) {
                    advance(due);
                }
                if (due.settled != null) {
                    record(due, due.settled);
                }
            } else if (work == null && waiting.isEmpty()) {
                recordPassed();
            }
            reportProgress();
            return true;
        } catch (ProducerFencedException | FencedInstanceIdException | InterruptException e) {
            throw e;
        } catch (KafkaException | IllegalStateException e) {
            if (mayHaveLeft(e)) {
                consumer.enforceRebalance("joins anew after " + e.getClass().getSimpleName());
                settlements.renew();
            }
            reportTrouble(e);
            return false;
        }
    }

    /** Returns how long to wait before the next step: the longer, the more steps have failed in a row. */
    public Duration backOff() {
        return troubles == 0 ? Duration.ZERO : TROUBLE.backOff(troubles);
    }

    /** Returns whether something is under way that a step would wait for. */
    boolean isBusy() {
        return work != null && handler.isBusy();
    }

    /** Records what is settled and leaves; a record that waits for its next attempt is left to the next start. */
    @Override
    public void close() {
        try (handler;
                consumer;
                settlements) {
            if (work != null && work.settled != null) {
                record(work, work.settled);
            } else {
                recordPassed();
            }
        } catch (KafkaException e) {
            log.warn("the last position could not be recorded; the next start reads from the one before", e);
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        unplaced.addAll(partitions);
        place();
        joined = true;
    }

    /** Nothing of a partition is handled before it is known what was begun of it. */
    private void place() {
        if (unplaced.isEmpty()) {
            return;
        }
        Set<TopicPartition> partitions = Set.copyOf(unplaced);
        Map<TopicPartition, Long> chosen = firstPosition.place(consumer, partitions, history);
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions);
        chosen.forEach((partition, offset) -> passed.put(partition, BeginningMark.reached(offset)));
        committed.forEach((partition, position) -> {
            if (position != null && !chosen.containsKey(partition)) {
                BeginningMark.offset(position).ifPresent(offset -> begun.put(partition, offset));
                holdings.resume(partition, position);
                reached.put(partition, position.offset());
                asides.resume(partition, position).ifPresent(offset -> readAgain(partition, offset));
            }
        });
        unplaced.clear();
    }

    private void readAgain(TopicPartition partition, long offset) {
        long beginning = consumer.beginningOffsets(Set.of(partition)).getOrDefault(partition, offset);
        consumer.seek(partition, Math.max(offset, beginning));
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        if (work != null && partitions.contains(work.partition)) {
            if (!work.aside) {
                orphans.put(work.partition, work);
            }
            work = null;
        }
        asides.revoke(partitions);
        reached.keySet().removeAll(partitions);
        waiting.removeIf(record -> partitions.contains(partitionOf(record)));
        passed.keySet().removeAll(partitions);
        unplaced.removeAll(partitions);
        begun.keySet().removeAll(partitions);
        holdings.revoke(partitions);
    }

    /** Ends the transaction that a killed process may have left: the group's positions are unknown while it is open. */
    private void prepare() {
        if (!prepared) {
            settlements.settle();
            codec.prepare(List.of(Topics.DELIVERY_RESULTS, Topics.DEAD_LETTERS));
            names.topic(topic).ifPresent(read -> codec.learn(List.of(read)));
            prepared = true;
        }
    }

    private void poll() {
        place();
        boolean busy = work != null || !waiting.isEmpty() || isFull();
        if (busy) {
            consumer.pause(consumer.assignment());
        } else {
            consumer.resume(consumer.paused());
        }
        try {
            Instant now = clock.instant();
            consumer.poll(pollTime(busy)).forEach(record -> {
                if (!asides.takes(partitionOf(record), record, now)) {
                    waiting.add(record);
                }
            });
        } catch (InvalidOffsetException e) {
            onPartitionsAssigned(e.partitions());
        }
    }

    private Duration pollTime(boolean busy) {
        if (!busy) {
            return LONGEST_POLL;
        }
        if (work == null) {
            return isFull() ? LONGEST_POLL : Duration.ZERO;
        }
        Duration left = work.left(clock.instant());
        if (left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(LONGEST_POLL) < 0 ? left : LONGEST_POLL;
    }

    private @Nullable Work due() {
        if (work == null) {
            Instant now = clock.instant();
            Holding released = holdings.due(now, handler);
            work = released == null ? asides.take(now) : released(released, now);
        }
        if (work == null) {
            ConsumerRecord<byte[], byte[]> next = isFull() ? null : waiting.poll();
            if (next == null) {
                return null;
            }
            work = begun(next);
            work.repeated |= Objects.equals(begun.get(work.partition), next.offset());
        }
        return work.waits(clock.instant()) ? null : work;
    }

    /** Returns work on a record: what was begun of it before its partition was taken away, or new work. */
    private Work begun(ConsumerRecord<byte[], byte[]> next) {
        TopicPartition partition = partitionOf(next);
        Work orphan = orphans.get(partition);
        if (orphan == null || (isReleased(orphan) && orphan.record.offset() == next.offset())) {
            return new Work(next, clock.instant());
        }
        orphans.remove(partition);
        if (orphan.record.offset() != next.offset()) {
            return new Work(next, clock.instant());
        }
        skip(partition, orphan.next());
        return orphan;
    }

    /** Whether attempts were made at several records together, which have to be held once more. */
    private static boolean isReleased(Work orphan) {
        return orphan.holding != null && orphan.settled == null;
    }

    /** Passes over what is settled already. */
    private void skip(TopicPartition partition, long next) {
        waiting.removeIf(record -> partitionOf(record).equals(partition) && record.offset() < next);
        if (consumer.position(partition) < next) {
            consumer.seek(partition, next);
        }
    }

    /** Returns work on what is held. Attempts that were made before its partition was taken away count. */
    private Work released(Holding holding, Instant now) {
        Work fresh = new Work(holding, now);
        Work orphan = orphans.remove(fresh.partition);
        if (orphan != null && isReleased(orphan) && orphan.record.offset() == fresh.record.offset()) {
            fresh.attempt = orphan.attempt;
        }
        return fresh;
    }

    private boolean isFull() {
        return holdings.isFull(handler.mostHeld());
    }

    private void hold(Work held, Instant until) {
        holdings.hold(held, clock.instant(), until);
        work = null;
    }

    private void advance(Work due) throws InterruptedException {
        due.obstacle = null;
        if (due.holding != null) {
            release(due, due.holding);
            return;
        }
        if (!due.aside && holdings.joins(due) && handler.wants(due.record)) {
            hold(due, clock.instant());
            return;
        }
        if (!due.marked && !due.aside && handler.needsMark(due.record)) {
            mark(due);
        }
        take(due, handler.handle(due.record, due.attempt, due.repeated));
    }

    private void release(Work due, Holding holding) throws InterruptedException {
        if (!due.marked) {
            passed.put(due.partition, BeginningMark.through(due.record.offset(), holding.next()));
            write(List.of());
            due.marked = true;
        }
        take(due, handler.release(holding.records(), due.attempt, due.repeated));
    }

    private void take(Work due, Step step) {
        if (step instanceof Step.Settled settled) {
            due.settled = settled;
        } else if (step instanceof Step.Retry retry) {
            tell(due, retry.outputs());
            due.attempt++;
            due.repeated |= retry.inDoubt();
            due.pause(clock.instant(), retry.pause());
        } else if (step instanceof Step.Aside aside) {
            due.attempt++;
            due.pause(clock.instant(), aside.pause());
            setAside(due);
        } else if (step instanceof Step.Postpone postpone) {
            due.pause(clock.instant(), postpone.pause());
            due.obstacle = postpone.why();
        } else if (step instanceof Step.Hold hold) {
            hold(due, hold.until());
        } else if (step instanceof Step.More more) {
            due.pause(clock.instant(), more.pause());
            if (due.aside) {
                setAside(due);
            }
        }
    }

    /** Lets others go on while {@code due} waits, if there is room beside the position. */
    private void setAside(Work due) {
        if (due.holding != null || (!due.aside && asides.isFull(due.partition))) {
            return;
        }
        if (!due.aside) {
            passed.put(due.partition, BeginningMark.reached(due.next()));
        }
        asides.put(due);
        work = null;
        atPosition(due.partition);
        write(List.of());
    }

    /** Has the group's position written with the next transaction, where it stays where it is. */
    private void atPosition(TopicPartition partition) {
        Long position = reached.get(partition);
        if (position != null) {
            passed.putIfAbsent(partition, BeginningMark.reached(position));
        }
    }

    /** Publishes what there is to say of a record that is not settled yet; everything before it on its partition is. */
    private void tell(Work failed, List<Outgoing<?>> outputs) {
        if (!outputs.isEmpty()) {
            long offset = failed.record.offset();
            passed.put(failed.partition, failed.marked ? BeginningMark.at(offset) : BeginningMark.reached(offset));
            write(encoded(outputs));
        }
    }

    private List<ProducerRecord<byte[], byte[]>> encoded(List<Outgoing<?>> outputs) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        outputs.forEach(output -> records.add(output.encode(names, codec)));
        return records;
    }

    /** Records that {@code beginning} is about to be attempted; everything before it on its partition is settled. */
    private void mark(Work beginning) {
        passed.put(beginning.partition, BeginningMark.at(beginning.record.offset()));
        write(List.of());
        beginning.marked = true;
    }

    private void record(Work done, Step.Settled settled) {
        if (done.writes > 0 && isRecorded(done)) {
            if (done.holding != null) {
                holdings.remove(done.partition);
            }
            work = null;
            return;
        }
        if (done.aside) {
            atPosition(done.partition);
            done.writes++;
            write(encoded(settled.outputs()));
            work = null;
            return;
        }
        Holding behind = holdings.of(done.partition);
        if (behind != null && done.holding == null) {
            behind.pass(done.record.offset());
            work = null;
            return;
        }
        passed.put(done.partition, BeginningMark.reached(done.next()));
        passMarkers();
        if (!settled.outputs().isEmpty()) {
            done.writes++;
            write(encoded(settled.outputs()));
        }
        if (done.holding != null) {
            holdings.remove(done.partition);
        }
        work = null;
    }

    /** After a failed write: whether the group's position says that it took effect all the same. */
    private boolean isRecorded(Work done) {
        settlements.settle();
        OffsetAndMetadata committed = consumer.committed(Set.of(done.partition)).get(done.partition);
        return committed != null
                && committed.offset() > done.record.offset()
                && !BeginningMark.aside(committed).containsKey(done.record.offset());
    }

    private void recordPassed() {
        if (!passed.isEmpty()) {
            passMarkers();
            write(List.of());
        }
    }

    /**
     * Goes behind the markers of transactions that follow the last record, which nobody is given, when all that came is settled or
     * held: the group has read all there is then, and nothing is missed when the markers expire.
     */
    private void passMarkers() {
        if (waiting.isEmpty() && (work == null || work.settled != null)) {
            passed.replaceAll(this::behindMarkers);
        }
    }

    private OffsetAndMetadata behindMarkers(TopicPartition partition, OffsetAndMetadata position) {
        if (!BeginningMark.isReached(position) || holdings.of(partition) != null) {
            return position;
        }
        return BeginningMark.reached(Math.max(position.offset(), consumer.position(partition)));
    }

    /** What does not fit on its topic now never will: it is left out, largest first, rather than tried for ever. */
    private void write(List<ProducerRecord<byte[], byte[]>> records) {
        List<ProducerRecord<byte[], byte[]>> fitting = new ArrayList<>(records);
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        passed.forEach((partition, position) -> positions.put(partition, asides.beside(partition, position, work)));
        while (true) {
            try {
                settlements.write(fitting, positions, consumer.groupMetadata());
                positions.forEach((partition, position) -> reached.put(partition, position.offset()));
                passed.clear();
                return;
            } catch (KafkaException e) {
                Optional<ProducerRecord<byte[], byte[]>> largest =
                        fitting.stream().max(Comparator.comparingLong(RecordLoop::bytes));
                if (largest.isEmpty() || !isTooLarge(e)) {
                    throw e;
                }
                log.error(
                        "a record of {} bytes for {} does not fit there and is left out: {}",
                        bytes(largest.get()),
                        largest.get().topic(),
                        e.toString());
                fitting.remove(largest.get());
            }
        }
    }

    private static long bytes(ProducerRecord<byte[], byte[]> record) {
        return (record.key() == null ? 0L : record.key().length)
                + (record.value() == null ? 0L : record.value().length);
    }

    private static boolean isTooLarge(Throwable e) {
        return e instanceof RecordTooLargeException || (e.getCause() != null && isTooLarge(e.getCause()));
    }

    /**
     * Says whether the group may go on without this consumer, which would not notice: a login that is refused ends its heartbeats
     * for good, and that it is no member any more is told to the producer alone.
     */
    private static boolean mayHaveLeft(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AuthenticationException || cause instanceof CommitFailedException) {
                return true;
            }
        }
        return false;
    }

    private void reportTrouble(RuntimeException e) {
        troubles++;
        Instant now = clock.instant();
        Duration backOff = TROUBLE.backOff(troubles);
        if (work != null) {
            work.pauseAtLeast(now, backOff);
        }
        String why = BrokerTrouble.describe(e);
        readiness.unmet(why);
        log.warn("reading or recording failed, failure={}; it is tried again: {}", troubles, why);
        log.debug("failure={}", troubles, e);
    }

    private void reportProgress() {
        if (work != null && work.settled != null) {
            return; // it waits to be written again
        }
        troubles = 0;
        if (work != null && work.obstacle != null) {
            readiness.unmet(work.obstacle);
        } else if (joined) {
            readiness.met();
        }
    }

    private static TopicPartition partitionOf(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }
}
