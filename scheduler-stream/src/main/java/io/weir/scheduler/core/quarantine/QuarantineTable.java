package io.weir.scheduler.core.quarantine;

import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The objects of a cluster that are set aside because the scheduler fails on them. Owned by the core's thread. */
public final class QuarantineTable {
    private final SortedMap<String, Quarantine> byKey = new TreeMap<>();

    /** Keys of stored entities that changed since {@link #drain}. */
    private final SortedSet<String> changed = new TreeSet<>();

    /** Returns why an object is set aside; null when it is not. */
    public @Nullable Quarantine get(QuarantineKind kind, String id) {
        return byKey.isEmpty() ? null : byKey.get(key(kind, id));
    }

    /** Says whether an object is set aside. */
    public boolean has(QuarantineKind kind, String id) {
        return get(kind, id) != null;
    }

    /** Returns how many there are. */
    public int size() {
        return byKey.size();
    }

    /** Returns all there are, by kind and id. */
    public List<Quarantine> all() {
        return byKey.isEmpty() ? List.of() : List.copyOf(byKey.values());
    }

    /** Sets an object aside. */
    public void put(Quarantine quarantine) {
        restore(quarantine);
        changed.add(key(quarantine.getKind(), quarantine.getId()));
    }

    /** Takes over a stored version. */
    public void restore(Quarantine quarantine) {
        byKey.put(key(quarantine.getKind(), quarantine.getId()), quarantine);
    }

    /** Takes an object back; nothing happens when it is not set aside. */
    public void remove(QuarantineKind kind, String id) {
        if (!byKey.isEmpty() && byKey.remove(key(kind, id)) != null) {
            changed.add(key(kind, id));
        }
    }

    /** Takes all objects of a kind back. */
    public void removeAll(QuarantineKind kind) {
        for (Quarantine quarantine : all()) {
            if (quarantine.getKind() == kind) {
                remove(kind, quarantine.getId());
            }
        }
    }

    /** Returns the ids of stored entities, sorted. */
    public List<String> ids() {
        return List.copyOf(byKey.keySet());
    }

    /** Returns the stored entity of an id; null when it is gone. */
    public @Nullable Quarantine toRecord(String id) {
        return byKey.get(id);
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

    private static String key(QuarantineKind kind, String id) {
        return kind.name() + ":" + id;
    }
}
