package io.weir.scheduler.core.trigger;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** What becomes of triggers when their object is over, cancelled or gone. Owned by the core's thread. */
public final class TriggerEnds {
    /** What happens to an object at its end. */
    private static final Set<TriggerEvent> ENDINGS =
            EnumSet.of(TriggerEvent.CANCEL, TriggerEvent.FAIL, TriggerEvent.END);

    private final TriggerTable table;
    private final TriggerSchedule schedule;
    private final TriggerArming arming;
    private Predicate<ObjectKey> over = key -> false;

    TriggerEnds(TriggerTable table, TriggerSchedule schedule, TriggerArming arming) {
        this.table = table;
        this.schedule = schedule;
        this.arming = arming;
    }

    /** Has {@code asked} say of an object that is not gone whether it is over all the same: nothing is repeated on it. */
    public void whenOver(Predicate<ObjectKey> asked) {
        over = asked;
    }

    boolean isOver(TriggeredObject object) {
        return object.gone || over.test(object.key);
    }

    /**
     * The object is over: programs that should not outlive it are stopped, and of its triggers only those fire that wait for
     * one of {@code last}, and those whose time has come already.
     *
     * @param now epoch seconds
     */
    public void over(ObjectKey key, Set<TriggerEvent> last, long now) {
        TriggeredObject object = table.get(key);
        if (object == null) {
            return;
        }
        stop(object);
        for (TriggerInstance instance : List.copyOf(object.instances.values())) {
            TriggerTemplate template = instance.template(table.rules());
            if (template == null || last.contains(template.spec().event()) || !isArmed(instance)) {
                continue;
            }
            boolean isDue = instance.unsettled
                    ? template.spec().offsetSeconds() <= 0
                    : !instance.waiting && instance.due <= now;
            if (!isDue || ENDINGS.contains(template.spec().event())) {
                instance.waiting = false;
                schedule.settle(object, instance);
                arming.disarm(object, instance);
                table.changed(object);
            }
        }
    }

    private static boolean isArmed(TriggerInstance instance) {
        return instance.unsettled || instance.state == TriggerState.ARMED;
    }

    private void stop(TriggeredObject object) {
        for (TriggerInstance instance : object.instances.values()) {
            if (instance.cleansUp && !instance.stopped) {
                schedule.stop(object, instance);
                table.changed(object);
            }
        }
    }

    /** The object is gone; what is due on it still fires, then it is forgotten. */
    public void gone(ObjectKey key) {
        TriggeredObject object = table.get(key);
        if (object == null) {
            return;
        }
        stop(object);
        object.gone = true;
        for (TriggerInstance instance : List.copyOf(object.instances.values())) {
            TriggerTemplate template = instance.template(table.rules());
            boolean last = template != null && ENDINGS.contains(template.spec().event());
            if (!last && instance.state != TriggerState.ACTIVE) {
                table.drop(object, instance);
            }
        }
        table.changed(object);
        table.forgetIfDone(object);
    }

    /** The end of an object did not come at the time foreseen: triggers that wait for it do so no longer, but for attempts. */
    public void disarm(ObjectKey key, TriggerEvent event) {
        TriggeredObject object = table.get(key);
        if (object != null) {
            for (TriggerInstance instance : List.copyOf(object.instances.values())) {
                TriggerTemplate template = instance.template(table.rules());
                if (template != null
                        && template.spec().event() == event
                        && instance.state == TriggerState.ARMED
                        && instance.attempt == 0) {
                    schedule.settle(object, instance);
                    arming.disarm(object, instance);
                    table.changed(object);
                }
            }
        }
    }
}
