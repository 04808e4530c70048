package io.weir.scheduler.core.trigger;

import io.weir.scheduler.core.bound.HourlyBudget;
import io.weir.scheduler.state.Argument;
import io.weir.scheduler.state.TriggerRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The triggers of one object that something happened to, and its variables. Changed only by {@link TriggerTable} and its
 * {@linkplain TriggerFirings firings}.
 */
public final class TriggeredObject {
    /** Triggers that may be made for one object by request, or by a job for itself. */
    public static final int MOST_OWN = 10;

    /** Variables of one object. */
    public static final int MOST_VARIABLES = 256;

    final ObjectKey key;
    final SortedMap<String, TriggerInstance> instances = new TreeMap<>();
    final SortedMap<String, String> variables = new TreeMap<>();
    boolean gone;

    @Nullable
    String owner;

    long made;

    /** Firings of users' triggers. */
    HourlyBudget budget = new HourlyBudget(0, 0);

    TriggeredObject(ObjectKey key) {
        this.key = key;
    }

    static TriggeredObject from(TriggerRecord record) {
        TriggeredObject object = new TriggeredObject(new ObjectKey(record.getObjectType(), record.getObjectId()));
        object.gone = record.getGone();
        object.owner = record.getOwner();
        object.made = record.getMade();
        object.budget = new HourlyBudget(record.getHour(), record.getSpent());
        record.getVariables().forEach(variable -> object.variables.put(variable.getName(), variable.getValue()));
        record.getInstances().forEach(each -> object.instances.put(each.getId(), TriggerInstance.from(each)));
        return object;
    }

    TriggerRecord toRecord(String cluster) {
        List<Argument> named = new ArrayList<>();
        variables.forEach((name, value) -> named.add(new Argument(name, value)));
        return new TriggerRecord(
                cluster,
                key.type(),
                key.id(),
                gone,
                owner,
                made,
                budget.hour(),
                budget.spent(),
                named,
                instances.values().stream().map(TriggerInstance::toRecord).toList());
    }

    /** Returns the object. */
    public ObjectKey key() {
        return key;
    }

    /** Returns the user to whom it belongs; null for the site. */
    public @Nullable String owner() {
        return owner;
    }

    /** Returns its triggers that something happened to, by id. */
    public Collection<TriggerInstance> instances() {
        return Collections.unmodifiableCollection(instances.values());
    }

    /** Returns its variables by name. */
    public SortedMap<String, String> variables() {
        return Collections.unmodifiableSortedMap(variables);
    }

    /**
     * Returns whether it may be forgotten: nothing is under way, and it is gone or nothing is known of it. Of an object that is
     * gone, a trigger that waits for a variable is not under way, as only other triggers of it could set one.
     */
    boolean forgettable() {
        boolean under = instances.values().stream()
                .anyMatch(each -> each.unsettled
                        || (each.state == TriggerState.ARMED && !(gone && each.waiting))
                        || each.state == TriggerState.ACTIVE);
        return !under && (gone || (instances.isEmpty() && variables.isEmpty()));
    }
}
