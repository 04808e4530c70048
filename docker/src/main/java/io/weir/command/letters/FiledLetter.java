package io.weir.command.letters;

import io.weir.schemas.DeadLetter;
import java.time.Instant;

/**
 * A dead letter with its own place.
 *
 * @param partition partition of the dead letters it is on
 * @param offset its offset there
 * @param filed when it was written
 * @param cluster cluster it belongs to; empty when unknown
 * @param letter what it says
 */
record FiledLetter(int partition, long offset, Instant filed, String cluster, DeadLetter letter) {
    /** Cause of the records that say that a letter was sent again; they are no letters themselves. */
    static final String REDRIVEN = "REDRIVEN";

    /** Returns the place the record came from: {@code topic-partition@offset}. */
    String origin() {
        return letter.getTopic() + "-" + letter.getPartition() + "@" + letter.getOffset();
    }

    /** Says whether this only records that a letter was sent again. */
    boolean isMark() {
        return letter.getCause().equals(REDRIVEN);
    }
}
