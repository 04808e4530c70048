package io.weir.scheduler.core.fact;

import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * One accepted input, as the journal holds it.
 *
 * @param record the decoded record: one of the fact, request or policy records of the catalogue
 * @param connector id of the connector that wrote it; null for a foreign producer
 * @param epoch epoch of that connector (for its HELLO: the record's own offset); -1 without a connector
 */
public record Fact(SpecificRecord record, @Nullable String connector, long epoch) {
    /** Epoch of a fact that no connector wrote. */
    public static final long NO_EPOCH = -1;

    /** Returns a fact of a producer that is not a connector. */
    public static Fact foreign(SpecificRecord record) {
        return new Fact(record, null, NO_EPOCH);
    }
}
