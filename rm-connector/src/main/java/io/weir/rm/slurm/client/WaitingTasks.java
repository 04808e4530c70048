package io.weir.rm.slurm.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was read last of the tasks of arrays that have no record of their own. Slurm tells of such an array as a whole, with all
 * tasks that ended lately, so that a reading for each task would take longer and longer. One thread.
 */
final class WaitingTasks {
    private static final int ARRAYS_KEPT = 1_000;

    /** The listing of the queue shows most changes of a record, but not all. */
    private static final long HOLDS_NANOS = 30_000_000_000L;

    /** Whoever held a task or changed it before that is seen to have done so. */
    private static final long FRESH_NANOS = 3_000_000_000L;

    private final LongSupplier nanos;

    /** When the queue was listed last. */
    private @Nullable Long listed;

    /** The record of all that wait, by array. */
    private final Map<String, Reading> arrays = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Reading> eldest) {
            return size() > ARRAYS_KEPT;
        }
    };

    private record Reading(SlurmJob job, long at) {}

    /** Creates it with a monotonic clock. */
    WaitingTasks(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Keeps a record, if it is one of tasks that have none. */
    void read(SlurmJob job) {
        @Nullable ArrayPart part = job.array();
        if (part != null && part.task() == null) {
            arrays.remove(part.key());
            arrays.put(part.key(), new Reading(job, nanos.getAsLong()));
        }
    }

    /** The queue was listed, and what has changed since is forgotten before it is asked for. */
    void listed() {
        listed = nanos.getAsLong();
    }

    /** Forgets what was read of an array. */
    void forget(String array) {
        arrays.remove(array);
    }

    /** Returns the record of all tasks that wait, as true as the last seconds; empty when that is not known. */
    Optional<SlurmJob> fresh(String array) {
        return reading(array)
                .filter(reading -> isWithin(FRESH_NANOS, listed) || isWithin(FRESH_NANOS, reading.at()))
                .map(Reading::job);
    }

    /** Returns the record of all tasks that wait; empty when that was not read lately. */
    Optional<SlurmJob> of(String array) {
        return reading(array).map(Reading::job);
    }

    private Optional<Reading> reading(String array) {
        return Optional.ofNullable(arrays.get(array)).filter(reading -> isWithin(HOLDS_NANOS, reading.at()));
    }

    private boolean isWithin(long limit, @Nullable Long since) {
        return since != null && nanos.getAsLong() - since < limit;
    }
}
