package io.weir.scheduler.core.charge;

import io.weir.scheduler.state.LienRecord;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the allocation manager was asked about jobs that wait, one question for each. Owned by the core's thread. */
public final class LienTable {
    private final SortedMap<String, Lien> byJob = new TreeMap<>();
    private final SortedMap<String, String> asked = new TreeMap<>();
    private final SortedSet<String> changed = new TreeSet<>();

    /** Returns what is known about a job; null when nothing was asked. */
    public @Nullable Lien get(String jobId) {
        return byJob.isEmpty() ? null : byJob.get(jobId);
    }

    /** Returns the question that a firing asks and that is open; null for none. */
    public @Nullable Lien asking(String firingId) {
        String jobId = asked.isEmpty() ? null : asked.get(firingId);
        return jobId == null ? null : byJob.get(jobId);
    }

    /** Returns all there is, by job. */
    public List<Lien> all() {
        return byJob.isEmpty() ? List.of() : List.copyOf(byJob.values());
    }

    /** Returns how many questions are not answered yet. */
    public int open() {
        return asked.size();
    }

    /** Puts a version in force. */
    public void put(Lien lien) {
        set(lien);
        changed.add(lien.jobId());
    }

    /** Forgets what was asked about a job. */
    public void remove(String jobId) {
        Lien old = byJob.remove(jobId);
        if (old != null) {
            asked.remove(old.firingId());
            changed.add(jobId);
        }
    }

    private void set(Lien lien) {
        Lien old = byJob.put(lien.jobId(), lien);
        if (old != null) {
            asked.remove(old.firingId());
        }
        if (lien.state() == Lien.State.ASKED) {
            asked.put(lien.firingId(), lien.jobId());
        }
    }

    /** Takes over a stored version. */
    public void restore(LienRecord record) {
        set(Lien.from(record));
    }

    /** Returns the ids of stored entities, sorted. */
    public List<String> ids() {
        return List.copyOf(byJob.keySet());
    }

    /** Returns the stored entity of an id; null when it is gone. */
    public @Nullable LienRecord toRecord(String cluster, String id) {
        Lien lien = byJob.get(id);
        return lien == null ? null : lien.toRecord(cluster);
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
