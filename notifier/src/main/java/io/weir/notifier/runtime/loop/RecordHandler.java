package io.weir.notifier.runtime.loop;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Decides about one record at a time; called by the thread of its {@link RecordLoop} alone. */
public interface RecordHandler extends AutoCloseable {

    /**
     * Handles {@code record}; may take as long as one attempt to deliver it.
     *
     * @param attempt 1 for the first time, one more after each {@link Step.Retry}
     * @param repeated whether an earlier attempt, of this process or of one before it, may have taken effect
     */
    Step handle(ConsumerRecord<byte[], byte[]> record, int attempt, boolean repeated) throws InterruptedException;

    /**
     * Whether handling {@code record} does something that nobody could recognise as a repetition. Its beginning is recorded
     * before, so that a process that comes after a crash knows of it.
     */
    default boolean needsMark(ConsumerRecord<byte[], byte[]> record) {
        return false;
    }

    /** Whether {@code record} is for this reader, and would join others that wait to go out together. */
    default boolean wants(ConsumerRecord<byte[], byte[]> record) {
        return true;
    }

    /**
     * Handles what was held together; may take as long as one attempt.
     *
     * @param records one or more, in their order
     */
    default Step release(List<ConsumerRecord<byte[], byte[]>> records, int attempt, boolean repeated)
            throws InterruptedException {
        throw new IllegalStateException("nothing was held");
    }

    /** How many records may be held together; a holding of so many is due, unless {@link #holdsOn}. */
    default int mostHeld() {
        return 1;
    }

    /** Whether even a full holding waits for its time. */
    default boolean holdsOn() {
        return false;
    }

    /** The channel or peer that a record goes to alone when it is sent again; null if others have not had it from here. */
    default @Nullable String channel() {
        return null;
    }

    /** Whether something of a record is under way while it is not handled, which is waited for before the end. */
    default boolean isBusy() {
        return false;
    }

    @Override
    void close();
}
