package io.weir.scheduler.core.placement;

import io.weir.scheduler.state.AdviceRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What allocation plug-ins were asked and what they answered, for jobs that wait. Owned by the core's thread. */
public final class AdviceTable {
    private final SortedMap<Advice.Key, Advice> byKey = new TreeMap<>();

    /** Keys of stored entities that changed since {@link #drain}. */
    private final SortedSet<String> changed = new TreeSet<>();

    /** By text of the key. */
    private final SortedMap<String, Advice> byId = new TreeMap<>();

    /** Returns what is known about {@code key}; null when nothing was asked. */
    public @Nullable Advice get(Advice.Key key) {
        return byKey.get(key);
    }

    /** Returns all there is, in the order of keys. */
    public List<Advice> all() {
        return byKey.isEmpty() ? List.of() : new ArrayList<>(byKey.values());
    }

    /** Returns what was asked about {@code jobId}. */
    public List<Advice> of(String jobId) {
        return List.copyOf(
                byKey.subMap(new Advice.Key(jobId, 0, Advice.AT_ONCE), new Advice.Key(jobId + "\0", 0, Advice.AT_ONCE))
                        .values());
    }

    /** Returns whether nothing was asked. */
    public boolean isEmpty() {
        return byKey.isEmpty();
    }

    /** Returns how many questions are not answered yet. */
    public int open() {
        int open = 0;
        for (Advice advice : byKey.values()) {
            open += advice.state() == Advice.State.ASKED ? 1 : 0;
        }
        return open;
    }

    /** Takes over a stored version. */
    public void restore(AdviceRecord stored) {
        set(Advice.from(stored));
    }

    /** Puts a version in force. */
    public void put(Advice advice) {
        set(advice);
        changed.add(advice.key().text());
    }

    /** Forgets a question. */
    public void remove(Advice advice) {
        byKey.remove(advice.key());
        byId.remove(advice.key().text());
        changed.add(advice.key().text());
    }

    /** Returns the ids of stored entities, sorted. */
    public List<String> ids() {
        return List.copyOf(byId.keySet());
    }

    /** Returns the stored entity of an id; null when it is gone. */
    public @Nullable AdviceRecord toRecord(String cluster, String id) {
        Advice advice = byId.get(id);
        return advice == null ? null : advice.toRecord(cluster);
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

    private void set(Advice advice) {
        byKey.put(advice.key(), advice);
        byId.put(advice.key().text(), advice);
    }
}
