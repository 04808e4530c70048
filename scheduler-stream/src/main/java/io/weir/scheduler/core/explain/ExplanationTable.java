package io.weir.scheduler.core.explain;

import io.weir.schemas.Explanation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The explanations in force, as last published, by job. Owned by the core's thread. */
public final class ExplanationTable {
    private final Map<String, Explanation> explanations = new LinkedHashMap<>();

    /** Ids that changed since {@link #drain}. */
    private final SortedSet<String> changed = new TreeSet<>();

    /** Returns the explanation of {@code jobId}; null when none is published. */
    public @Nullable Explanation get(String jobId) {
        return explanations.get(jobId);
    }

    /** Returns how many there are. */
    public int size() {
        return explanations.size();
    }

    /** Takes over a stored explanation. */
    public void restore(Explanation explanation) {
        explanations.put(explanation.getJobId(), explanation);
    }

    /** Puts an explanation in force. */
    public void put(Explanation explanation) {
        explanations.put(explanation.getJobId(), explanation);
        changed.add(explanation.getJobId());
    }

    /** Removes the explanation of {@code jobId}. */
    public void remove(String jobId) {
        explanations.remove(jobId);
        changed.add(jobId);
    }

    /** Returns the ids of all jobs with an explanation, sorted. */
    public List<String> ids() {
        List<String> ids = new ArrayList<>(explanations.keySet());
        Collections.sort(ids);
        return ids;
    }

    /** Returns the ids of jobs whose explanation is in force but not in {@code kept}, sorted. */
    public List<String> without(Set<String> kept) {
        if (kept.size() == explanations.size()) {
            return List.of();
        }
        List<String> ids = new ArrayList<>();
        for (String id : explanations.keySet()) {
            if (!kept.contains(id)) {
                ids.add(id);
            }
        }
        Collections.sort(ids);
        return ids;
    }

    /** Returns the ids changed since the last call, sorted. */
    public SortedSet<String> drain() {
        SortedSet<String> ids = new TreeSet<>(changed);
        changed.clear();
        return ids;
    }
}
