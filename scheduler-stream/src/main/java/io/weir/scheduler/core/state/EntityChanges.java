package io.weir.scheduler.core.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What changed among the entities of one kind: what is to be stored before the next commit, and what the next iteration
 * publishes. The record of a version is made once for both; it is forgotten when the entity changes again, or when it is
 * stored and published.
 */
public final class EntityChanges {
    private final EntityKind kind;
    private final Function<String, @Nullable SpecificRecord> toRecord;
    private final boolean storing;
    private final SortedSet<String> unstored = new TreeSet<>();
    private final SortedSet<String> unpublished = new TreeSet<>();

    /** Changes made and still to be used again, by id; never iterated. */
    private final Map<String, Change> made = new LinkedHashMap<>();

    /**
     * Follows entities whose version in force {@code toRecord} makes a record of; null for one that is gone.
     *
     * @param storing whether somebody stores them
     */
    EntityChanges(EntityKind kind, Function<String, @Nullable SpecificRecord> toRecord, boolean storing) {
        this.kind = kind;
        this.toRecord = toRecord;
        this.storing = storing;
    }

    /** Another version of an entity is in force, or it is gone. */
    void changed(String id) {
        if (storing) {
            unstored.add(id);
        }
        if (!made.isEmpty()) {
            made.remove(id);
        }
    }

    /** The next iteration publishes the version of an entity that is in force then. */
    public void publish(String id) {
        unpublished.add(id);
    }

    /** Returns the entities that the next iteration publishes, sorted. */
    public SortedSet<String> unpublished() {
        return unpublished.isEmpty() ? Collections.emptySortedSet() : Collections.unmodifiableSortedSet(unpublished);
    }

    /** Returns the same as they are now, whatever changes later. */
    public List<String> toBePublished() {
        return unpublished.isEmpty() ? List.of() : List.copyOf(unpublished);
    }

    /** Says that all were published. */
    public void published() {
        unpublished.clear();
    }

    /** Returns the version in force. */
    public Change of(String id) {
        return new Change(kind, id, toRecord.apply(id));
    }

    /** Returns the version in force of an entity to be published. */
    public Change toPublish(String id) {
        Change change = made.get(id);
        if (change == null) {
            change = of(id);
            made.put(id, change);
        }
        return change;
    }

    /** Forgets the records made: nobody stores them. */
    void forget() {
        made.clear();
    }

    /** Hands over what is to be stored, sorted by id. */
    void drain(List<Change> changes) {
        if (!unstored.isEmpty()) {
            for (String id : unstored) {
                changes.add(unpublished.contains(id) || made.containsKey(id) ? toPublish(id) : of(id));
            }
            unstored.clear();
        }
        if (unpublished.isEmpty()) {
            made.clear();
        }
    }
}
