package io.weir.scheduler.core.placement.plugin;

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
public final class PluginAllocationTable {
    private final SortedMap<PluginAllocation.Key, PluginAllocation> byKey = new TreeMap<>();

    /** Keys of stored entities that changed since {@link #drain}. */
    private final SortedSet<String> changed = new TreeSet<>();

    /** By text of the key. */
    private final SortedMap<String, PluginAllocation> byId = new TreeMap<>();

    /** Returns what is known about {@code key}; null when nothing was asked. */
    public @Nullable PluginAllocation get(PluginAllocation.Key key) {
        return byKey.get(key);
    }

    /** Returns all there is, in the order of keys. */
    public List<PluginAllocation> all() {
        return byKey.isEmpty() ? List.of() : new ArrayList<>(byKey.values());
    }

    /** Returns what was asked about {@code jobId}. */
    public List<PluginAllocation> of(String jobId) {
        return List.copyOf(byKey.subMap(
                        new PluginAllocation.Key(jobId, 0, PluginAllocation.AT_ONCE),
                        new PluginAllocation.Key(jobId + "\0", 0, PluginAllocation.AT_ONCE))
                .values());
    }

    /** Returns whether nothing was asked. */
    public boolean isEmpty() {
        return byKey.isEmpty();
    }

    /** Returns how many questions are not answered yet. */
    public int open() {
        int open = 0;
        for (PluginAllocation pluginAllocation : byKey.values()) {
            open += pluginAllocation.state() == PluginAllocation.State.ASKED ? 1 : 0;
        }
        return open;
    }

    /** Takes over a stored version. */
    public void restore(AdviceRecord stored) {
        set(PluginAllocation.from(stored));
    }

    /** Puts a version in force. */
    public void put(PluginAllocation pluginAllocation) {
        set(pluginAllocation);
        changed.add(pluginAllocation.key().text());
    }

    /** Forgets a question. */
    public void remove(PluginAllocation pluginAllocation) {
        byKey.remove(pluginAllocation.key());
        byId.remove(pluginAllocation.key().text());
        changed.add(pluginAllocation.key().text());
    }

    /** Returns the ids of stored entities, sorted. */
    public List<String> ids() {
        return List.copyOf(byId.keySet());
    }

    /** Returns the stored entity of an id; null when it is gone. */
    public @Nullable AdviceRecord toRecord(String cluster, String id) {
        PluginAllocation pluginAllocation = byId.get(id);
        return pluginAllocation == null ? null : pluginAllocation.toRecord(cluster);
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

    private void set(PluginAllocation pluginAllocation) {
        byKey.put(pluginAllocation.key(), pluginAllocation);
        byId.put(pluginAllocation.key().text(), pluginAllocation);
    }
}
