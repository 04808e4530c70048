package io.weir.scheduler.audit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place where what is recorded is not what follows from the journal.
 *
 * @param kind what is wrong there
 * @param cluster the cluster
 * @param iteration the iteration it belongs to: the last one that was sound, plus one
 * @param place the record
 * @param message what was found and what was expected
 * @param fields the fields that differ; empty where there is nothing to compare
 */
public record Divergence(
        Kind kind, String cluster, long iteration, Place place, String message, List<FieldDifference> fields) {

    /** What can be wrong. */
    public enum Kind {
        /** The journal jumps, or goes back. */
        JOURNAL_ORDER,
        /** A record of the journal is not the one that was written. */
        JOURNAL_RECORD,
        /** An iteration's record is not what the core derives. */
        ITERATION,
        /** An output's record is not what the core derives. */
        OUTPUT_RECORD,
        /** A derived output is not on its topic. */
        OUTPUT_MISSING,
        /** An output topic holds a record that was not derived, or holds it out of order. */
        OUTPUT_EXTRA,
        /** A fact's record is not the one that was journaled. */
        FACT_RECORD,
        /** A journaled fact is not on its topic, though its neighbours are. */
        FACT_MISSING,
        /** A fact's record was consumed, but is neither journaled, nor a dead letter, nor a repetition. */
        FACT_UNACCOUNTED,
        /** The state held in the state topics is not the state that follows from the journal. */
        STATE
    }

    /**
     * Where a record is, or would be.
     *
     * @param topic full name
     * @param partition partition
     * @param offset offset; -1 when there is none
     * @param key key in words; null when there is none
     */
    public record Place(
            String topic,
            int partition,
            long offset,
            @Nullable String key) {
        @Override
        public String toString() {
            return topic + "-" + partition + (offset < 0 ? "" : "@" + offset) + (key == null ? "" : " key " + key);
        }
    }

    /** Returns it in words, a line each for place, message and fields. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder()
                .append(kind)
                .append(" in cluster ")
                .append(cluster)
                .append(", iteration ")
                .append(iteration)
                .append(", at ")
                .append(place)
                .append(": ")
                .append(message);
        fields.forEach(field -> text.append("\n  ").append(field));
        return text.toString();
    }
}
