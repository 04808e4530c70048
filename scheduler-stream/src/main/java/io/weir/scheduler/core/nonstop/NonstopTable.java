package io.weir.scheduler.core.nonstop;

import io.weir.scheduler.state.NonstopRecord;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The records of the failure service, by job id. Owned by the core's thread. */
public final class NonstopTable {
    private final SortedMap<String, NonstopJob> jobs = new TreeMap<>();
    private final SortedSet<String> changed = new TreeSet<>();

    /** Returns the record of a job, to be read; null when there is none. */
    public @Nullable NonstopJob get(String jobId) {
        return jobs.get(jobId);
    }

    /** Returns the record of a job, to be changed; a new one when there is none. */
    public NonstopJob edit(String jobId) {
        changed.add(jobId);
        return jobs.computeIfAbsent(jobId, NonstopJob::new);
    }

    /** Forgets a job. */
    public void remove(String jobId) {
        if (jobs.remove(jobId) != null) {
            changed.add(jobId);
        }
    }

    /** Returns all records, by job id. */
    public List<NonstopJob> all() {
        return jobs.isEmpty() ? List.of() : List.copyOf(jobs.values());
    }

    /** Returns the ids of stored entities, sorted. */
    public List<String> ids() {
        return jobs.isEmpty() ? List.of() : List.copyOf(jobs.keySet());
    }

    /** Takes over a stored version. */
    public void restore(NonstopRecord stored) {
        jobs.put(stored.getJobId(), NonstopJob.from(stored));
    }

    /** Returns the stored entity of a job; null when it is gone. */
    public @Nullable NonstopRecord toRecord(String cluster, String jobId) {
        NonstopJob job = jobs.get(jobId);
        return job == null ? null : job.toRecord(cluster);
    }

    /** Returns the ids changed since the last call, sorted. */
    public SortedSet<String> drain() {
        if (changed.isEmpty()) {
            return Collections.emptySortedSet();
        }
        SortedSet<String> ids = new TreeSet<>(changed);
        changed.clear();
        return ids;
    }
}
