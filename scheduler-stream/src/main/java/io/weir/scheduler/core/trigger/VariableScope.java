package io.weir.scheduler.core.trigger;

import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.util.Collections;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Variables as the triggers of an object see and change them: its own and, for those that say so, the scheduler's, which
 * everybody shares.
 */
final class VariableScope {
    private static final Bound.Prose VALUE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    private final TriggeredObject object;
    private final @Nullable TriggeredObject scheduler;
    private final SortedMap<String, String> others;

    /** Makes the scope of {@code object}; {@code scheduler} is null while nothing is known of the scheduler's. */
    VariableScope(TriggeredObject object, @Nullable TriggeredObject scheduler) {
        this(object, scheduler, Collections.emptySortedMap());
    }

    /** Makes the scope of {@code object}, on which {@code others} than triggers set variables, too. */
    VariableScope(TriggeredObject object, @Nullable TriggeredObject scheduler, SortedMap<String, String> others) {
        this.object = object;
        this.scheduler = scheduler;
        this.others = others;
    }

    /** Returns a variable's value, the one that triggers set first; null for none. */
    @Nullable
    String get(String name, boolean global) {
        String byTriggers = object.variables.get(name);
        String own = byTriggers != null ? byTriggers : others.get(name);
        return own != null || !global || scheduler == null ? own : scheduler.variables.get(name);
    }

    /**
     * What changed.
     *
     * @param own whether a variable of the object itself is another now
     * @param shared whether a variable of the scheduler that is exported is another now
     */
    record Outcome(boolean own, boolean shared) {}

    /**
     * Changes what a trigger sets and unsets when its action ends.
     *
     * @param values values that the action told, by name; variables of which it told none become {@code TRUE}
     */
    Outcome apply(TriggerSpec spec, boolean success, SortedMap<String, String> values) {
        boolean own = false;
        boolean shared = false;
        for (VariableChange change : spec.sets()) {
            if (change.onFailure() == !success) {
                String value = values.getOrDefault(change.name(), "TRUE");
                own |= put(object, change.name(), value);
                shared |= export(change, value);
            }
        }
        for (VariableChange change : spec.unsets()) {
            if (change.onFailure() == !success) {
                own |= put(object, change.name(), null);
                shared |= export(change, null);
            }
        }
        return new Outcome(own, shared);
    }

    private boolean export(VariableChange change, @Nullable String value) {
        return change.exported() && scheduler != null && put(scheduler, change.name(), value);
    }

    private static boolean put(TriggeredObject object, String name, @Nullable String value) {
        if (value == null) {
            return object.variables.remove(name) != null;
        }
        boolean room = object.variables.containsKey(name) || object.variables.size() < TriggeredObject.MOST_VARIABLES;
        return room && !value.equals(object.variables.put(name, VALUE.cut(value)));
    }
}
