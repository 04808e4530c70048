package io.weir.notifier.runtime.loop;

import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A record, or several that go out together, on the way from taken to recorded. Owned by its loop. */
final class Work {

    final ConsumerRecord<byte[], byte[]> record;
    final TopicPartition partition;

    /** What it releases together; null for one record. */
    final @Nullable Holding holding;

    int attempt = 1;
    Step.@Nullable Settled settled;

    /** Why no attempt can be made; null when one can. */
    @Nullable
    String obstacle;

    /** Whether its beginning has been recorded. */
    boolean marked;

    /** Whether an earlier attempt may have taken effect. */
    boolean repeated;

    /** Whether the group's position is behind it, and others go before it. */
    boolean aside;

    /** Transactions that were begun for it; the outcome of all but the last is known. */
    int writes;

    private Instant notBefore;

    /** When {@link #notBefore} was set; a clock that shows less was put back, and nothing waits for it to come again. */
    private Instant pausedAt;

    /** Begins work on one record. */
    Work(ConsumerRecord<byte[], byte[]> record, Instant now) {
        this(record, null, now);
    }

    /** Goes on with work on one record that an earlier process set aside; what it had sent of it is not known. */
    Work(ConsumerRecord<byte[], byte[]> record, Instant now, int attempt) {
        this(record, null, now);
        this.attempt = attempt;
        this.repeated = true;
        this.marked = true;
    }

    /** Begins work on what is held. */
    Work(Holding holding, Instant now) {
        this(holding.records().get(0), holding, now);
        repeated = holding.isRepeated();
    }

    private Work(ConsumerRecord<byte[], byte[]> record, @Nullable Holding holding, Instant now) {
        this.record = record;
        this.holding = holding;
        partition = new TopicPartition(record.topic(), record.partition());
        notBefore = now;
        pausedAt = now;
    }

    /** Makes no attempt before {@code pause} is over. */
    void pause(Instant now, Duration pause) {
        pausedAt = now;
        notBefore = now.plus(pause);
    }

    /** Makes no attempt before {@code pause} is over; a longer pause stays. */
    void pauseAtLeast(Instant now, Duration pause) {
        if (notBefore.isBefore(now.plus(pause))) {
            pause(now, pause);
        }
    }

    boolean waits(Instant now) {
        return now.isBefore(notBefore) && !now.isBefore(pausedAt);
    }

    /** Returns how long no attempt is made; negative for none. */
    Duration left(Instant now) {
        return Duration.between(now, notBefore);
    }

    /** Returns the position behind all of it. */
    long next() {
        return holding == null ? record.offset() + 1 : holding.next();
    }
}
