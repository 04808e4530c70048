package io.weir.scheduler.core.explain;

import io.weir.schemas.Explanation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The explanations in force, as last published, by job. A round goes over those that shall stay; the rest is then found
 * by {@link #forgotten}. Owned by the core's thread.
 */
public final class ExplanationTable {
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** Ids that changed since {@link #drain}. */
    private final SortedSet<String> changed = new TreeSet<>();

    private long round;

    /** Entries met in this round. */
    private int met;

    /** An explanation, and the last round that met it. */
    private static final class Entry {
        private Explanation explanation;
        private long round;

        Entry(Explanation explanation) {
            this.explanation = explanation;
        }
    }

    /** Returns the explanation of {@code jobId}; null when none is published. */
    public @Nullable Explanation get(String jobId) {
        Entry entry = entries.get(jobId);
        return entry == null ? null : entry.explanation;
    }

    /** Returns how many there are. */
    public int size() {
        return entries.size();
    }

    /** Takes over a stored explanation. */
    public void restore(Explanation explanation) {
        entries.put(explanation.getJobId(), new Entry(explanation));
    }

    /** Begins a round. */
    public void begin() {
        round++;
        met = 0;
    }

    /** Returns the explanation of {@code jobId} and keeps it in this round; null when none is published. */
    public @Nullable Explanation keep(String jobId) {
        Entry entry = entries.get(jobId);
        if (entry == null) {
            return null;
        }
        meet(entry);
        return entry.explanation;
    }

    /** Puts an explanation in force, kept in this round. */
    public void put(Explanation explanation) {
        Entry entry = entries.get(explanation.getJobId());
        if (entry == null) {
            entry = new Entry(explanation);
            entries.put(explanation.getJobId(), entry);
        }
        entry.explanation = explanation;
        meet(entry);
        changed.add(explanation.getJobId());
    }

    private void meet(Entry entry) {
        if (entry.round != round) {
            entry.round = round;
            met++;
        }
    }

    /** Removes the explanation of {@code jobId}. */
    public void remove(String jobId) {
        entries.remove(jobId);
        changed.add(jobId);
    }

    /** Returns the ids of all jobs with an explanation, sorted. */
    public List<String> ids() {
        List<String> ids = new ArrayList<>(entries.keySet());
        Collections.sort(ids);
        return ids;
    }

    /** Returns the ids of jobs whose explanation was not kept in this round, sorted. */
    public List<String> forgotten() {
        if (met == entries.size()) {
            return List.of();
        }
        List<String> ids = new ArrayList<>();
        entries.forEach((id, entry) -> {
            if (entry.round != round) {
                ids.add(id);
            }
        });
        Collections.sort(ids);
        return ids;
    }

    /** Returns the ids changed since the last call, sorted. */
    public List<String> drain() {
        if (changed.isEmpty()) {
            return List.of();
        }
        List<String> ids = List.copyOf(changed);
        changed.clear();
        return ids;
    }
}
