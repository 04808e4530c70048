package io.weir.topics;

import java.time.Duration;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * One topic of the catalogue: what it holds and for how long. Immutable; the instances are in {@link Topics}.
 *
 * @param <T> the generated class of its records
 * @param name name without the configured prefix, such as {@code rm.nodes}
 * @param type the generated class of its records
 * @param key what its keys look like, such as {@code cluster/nodeId}
 * @param role what the topic is for
 * @param cleanup what the broker does with old records
 * @param retention how long records are kept unless configured otherwise; empty means for ever
 * @param description one sentence
 */
public record Topic<T extends SpecificRecord>(
        String name,
        Class<T> type,
        String key,
        Role role,
        Cleanup cleanup,
        Optional<Duration> retention,
        String description) {

    /** Returns the schema of its records, as compiled into this build. */
    public Schema schema() {
        return SpecificData.get().getSchema(type);
    }

    /** What a topic is for; it decides who may write it and whether the scheduler reads it. */
    public enum Role {
        /** Something that was observed outside; an input of the scheduler. */
        FACT(true),
        /** Something that somebody wants; an input of the scheduler. */
        REQUEST(true),
        /** A raw measurement, too many of them for the scheduler to read. */
        MEASUREMENT(false),
        /** The order in which inputs were applied and iterations made, and what shortens its replay. */
        JOURNAL(false),
        /** Work that the scheduler gives to another service. */
        COMMAND(false),
        /** The current view of an entity: the latest record of a key. */
        STATE(false),
        /** What the scheduler decided or answered, for the record. */
        HISTORY(false),
        /** Inputs that could not be used. */
        DEAD_LETTER(false);

        private final boolean schedulerInput;

        Role(boolean schedulerInput) {
            this.schedulerInput = schedulerInput;
        }

        /** Says whether the scheduler reads topics of this role; they all have the same number of partitions. */
        public boolean isSchedulerInput() {
            return schedulerInput;
        }
    }

    /** What the broker does with old records. */
    public enum Cleanup {
        /** Deletes them after the retention time. */
        DELETE("delete"),
        /** Keeps the latest of each key. */
        COMPACT("compact");

        private final String policy;

        Cleanup(String policy) {
            this.policy = policy;
        }

        /** Returns the value of the broker's {@code cleanup.policy}. */
        public String policy() {
            return policy;
        }
    }
}
