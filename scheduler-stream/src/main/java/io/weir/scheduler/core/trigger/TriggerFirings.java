package io.weir.scheduler.core.trigger;

import io.weir.scheduler.core.bound.HourlyBudget;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The triggers whose time has come, from that instant until their action has ended: what they wait for, how often they may
 * fire, whose answer they await and what comes of it. Owned by the core's thread.
 */
public final class TriggerFirings {
    /** Firings of users' triggers on one object in an hour. */
    public static final int USERS_FIRINGS = 20;

    /** Firings of one trigger on one object in an hour, attempts included. */
    public static final int FIRINGS = 120;

    private static final Bound.Prose NOTE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    /**
     * A trigger that is to be looked at.
     *
     * @param object its object
     * @param instance where it stands
     * @param template what it is
     */
    public record Due(TriggeredObject object, TriggerInstance instance, TriggerTemplate template) {}

    private final TriggerTable table;
    private final TriggerSchedule schedule;
    private final TriggerArming arming;
    private final TriggerEnds ends;

    TriggerFirings(TriggerTable table, TriggerSchedule schedule, TriggerArming arming, TriggerEnds ends) {
        this.table = table;
        this.schedule = schedule;
        this.arming = arming;
        this.ends = ends;
    }

    /**
     * Returns up to {@code most} triggers whose time has come at {@code now}; they are scheduled no longer. Whatever a
     * variable wakes from now on is {@linkplain #takeWoken taken} by itself.
     */
    public List<Due> takeDue(long now, int most) {
        schedule.forgetWoken();
        List<Due> taken = new ArrayList<>();
        while (taken.size() < most) {
            TriggerSchedule.Place place = schedule.firstDue(now);
            if (place == null) {
                break;
            }
            Due due = take(place);
            if (due != null) {
                taken.add(due);
            }
        }
        return taken;
    }

    /** Returns the next trigger that a variable waked since {@link #takeDue}; null for none. It is scheduled no longer. */
    public @Nullable Due takeWoken() {
        for (TriggerSchedule.Place place = schedule.takeWoken(); place != null; place = schedule.takeWoken()) {
            Due due = take(place);
            if (due != null) {
                return due;
            }
        }
        return null;
    }

    private @Nullable Due take(TriggerSchedule.Place place) {
        TriggeredObject object = table.get(place.object());
        TriggerInstance instance = object == null ? null : object.instances.get(place.id());
        if (object == null || instance == null) {
            throw new IllegalStateException("trigger " + place.id() + " of " + place.object() + " is not known");
        }
        schedule.unschedule(object, instance);
        table.changed(object);
        TriggerTemplate template = instance.template(table.rules());
        if (template == null) {
            table.drop(object, instance);
            table.forgetIfDone(object);
            return null;
        }
        return new Due(object, instance, template);
    }

    /**
     * Returns whether the trigger's conditions on variables hold; if not, it waits for a change of those that it sees.
     *
     * @param others variables that others than triggers set on its object
     */
    public boolean requirementsHold(Due each, SortedMap<String, String> others) {
        boolean global = each.template().spec().has(TriggerSpec.SHARED);
        VariableScope variables = new VariableScope(each.object(), table.scheduler(), others);
        for (VariableCondition condition : each.template().spec().requires()) {
            if (!condition.holds(name -> variables.get(name, global))) {
                each.instance().waiting = true;
                if (global) {
                    schedule.awaitShared(each.object(), each.instance());
                }
                table.changed(each.object());
                table.forgetIfDone(each.object());
                return false;
            }
        }
        return true;
    }

    /**
     * Counts a firing of the trigger on its object, and for triggers of users all of theirs on the object. One beyond the
     * limit of an hour is put off until the hour is over.
     *
     * @return the limit that it is beyond; 0 when it may fire
     */
    public int spend(Due each, long now) {
        HourlyBudget own = each.instance().budget;
        HourlyBudget users = each.object().budget;
        boolean ofUser = each.template().principal() != null;
        int beyond =
                !own.spend(now, FIRINGS) ? FIRINGS : ofUser && !users.spend(now, USERS_FIRINGS) ? USERS_FIRINGS : 0;
        if (beyond > 0) {
            each.instance().due = beyond == FIRINGS ? own.renewed() : users.renewed();
            schedule.schedule(each.object(), each.instance());
        }
        return beyond;
    }

    /** The trigger fires at {@code later}, epoch seconds, at the earliest. */
    public void putOff(Due each, long later) {
        each.instance().due = later;
        schedule.schedule(each.object(), each.instance());
        table.changed(each.object());
    }

    /** The trigger's time is over: it does not fire. */
    public void expired(Due each) {
        arming.disarm(each.object(), each.instance());
        each.instance().attempt = 0;
        each.instance().waiting = false;
        each.instance().output = "expired before it fired";
        table.changed(each.object());
        table.forgetIfDone(each.object());
    }

    /** The trigger does not fire again, as its object is over. */
    public void lapsed(Due each) {
        arming.disarm(each.object(), each.instance());
        each.instance().waiting = false;
        table.changed(each.object());
        table.forgetIfDone(each.object());
    }

    /** The trigger fires. */
    public void fires(Due each, long now) {
        TriggerInstance instance = each.instance();
        instance.state = TriggerState.ACTIVE;
        instance.fired = now;
        instance.runs++;
        instance.attempt++;
        instance.waiting = false;
        instance.stopped = false;
        table.changed(each.object());
    }

    /** Jobs start again when the action is over, or its BlockTime. */
    public void blocks(Due each, long now) {
        long seconds = each.template().spec().blocks();
        if (seconds > 0) {
            schedule.block(each.object(), each.instance(), now + seconds);
        }
    }

    /** Returns until when no job starts because of actions under way, epoch seconds; null when that is not after {@code now}. */
    public @Nullable Long blockedUntil(long now) {
        Long until = null;
        for (TriggerSchedule.Place place : schedule.blocking()) {
            TriggeredObject object = table.get(place.object());
            TriggerInstance instance = object == null ? null : object.instances.get(place.id());
            if (object == null || instance == null) {
                continue;
            }
            if (instance.blocksUntil > now) {
                until = until == null ? instance.blocksUntil : Math.max(until, instance.blocksUntil);
            } else {
                schedule.unblock(object, instance);
                table.changed(object);
            }
        }
        return until;
    }

    /**
     * A program that is to be stopped.
     *
     * @param object object that is over
     * @param triggerId trigger that had it run
     * @param firingId firing by which it was begun
     */
    public record Stop(ObjectKey object, String triggerId, String firingId) {}

    /** Returns the programs that are to be stopped because their object is over; they count as told to. */
    public List<Stop> takeStops() {
        List<Stop> stops = new ArrayList<>();
        for (TriggerSchedule.Place place : schedule.takeStopping()) {
            TriggeredObject object = table.get(place.object());
            TriggerInstance instance = object == null ? null : object.instances.get(place.id());
            if (object == null || instance == null) {
                continue;
            }
            instance.stopDue = false;
            table.changed(object);
            String firing = instance.firingId;
            if (firing != null) {
                instance.stopped = true;
                stops.add(new Stop(object.key(), instance.id, firing));
            }
        }
        return stops;
    }

    /** The notifier carries the action out; after {@code giveUp}, epoch seconds, its answer is not waited for. */
    public void awaits(Due each, String firingId, long giveUp) {
        schedule.await(each.object(), each.instance(), firingId, giveUp);
        TriggerSpec spec = each.template().spec();
        each.instance().cleansUp = spec.kind() == TriggerActionKind.EXEC && spec.has(TriggerSpec.CLEANUP);
        table.changed(each.object());
    }

    /** The action is carried out by requests; after {@code giveUp}, epoch seconds, their answers are not waited for. */
    public void awaits(Due each, List<String> requests, long giveUp) {
        schedule.await(each.object(), each.instance(), requests, giveUp);
        table.changed(each.object());
    }

    /** Returns the triggers that wait for answers to requests. */
    public List<Due> requesting() {
        List<Due> waiting = new ArrayList<>();
        for (TriggerSchedule.Place place : schedule.requesting()) {
            Due each = find(place);
            if (each != null) {
                waiting.add(each);
            }
        }
        return waiting;
    }

    /** Returns the trigger that waits for the answer to a firing; null for a late or a second answer. */
    public @Nullable Due answered(String firingId) {
        TriggerSchedule.Place place = schedule.awaiting(firingId);
        return place == null ? null : find(place);
    }

    private @Nullable Due find(TriggerSchedule.Place place) {
        TriggeredObject object = table.get(place.object());
        TriggerInstance instance = object == null ? null : object.instances.get(place.id());
        TriggerTemplate template = instance == null ? null : instance.template(table.rules());
        return object == null || instance == null || template == null ? null : new Due(object, instance, template);
    }

    /**
     * The action of a trigger ended.
     *
     * @param success whether it did what it was to do
     * @param output what came of it
     * @param values values of variables that it told
     * @return whether it failed for good
     */
    public boolean ended(Due each, boolean success, String output, SortedMap<String, String> values, long now) {
        TriggeredObject object = each.object();
        TriggerInstance instance = each.instance();
        TriggerSpec spec = each.template().spec();
        boolean stopped = instance.stopped || instance.stopDue;
        schedule.release(object, instance);
        instance.output = NOTE.cut(output);
        table.changed(object);
        if (!success && !stopped && instance.attempt <= spec.maxRetry()) {
            arming.armAt(object, instance, now);
            return false;
        }
        instance.state = success ? TriggerState.SUCCESSFUL : TriggerState.FAILURE;
        instance.attempt = 0;
        applyChanges(object, spec, success, values, now);
        if (spec.multiFire() && !ends.isOver(object)) {
            arming.again(object, instance, spec, now);
        }
        arming.through(object, instance);
        table.forgetIfDone(object);
        return !success;
    }

    private void applyChanges(
            TriggeredObject object, TriggerSpec spec, boolean success, SortedMap<String, String> values, long now) {
        boolean exports = spec.sets().stream().anyMatch(VariableChange::exported);
        TriggeredObject scheduler = exports ? table.schedulerEntry() : table.scheduler();
        VariableScope.Outcome outcome = new VariableScope(object, scheduler).apply(spec, success, values);
        if (outcome.shared() && scheduler != null) {
            table.changed(scheduler);
        }
        if (outcome.own()) {
            wake(object, now);
        }
        if (outcome.shared() || (outcome.own() && object == scheduler)) {
            wakeSharing(now);
        }
    }

    /** Others than triggers changed variables of an object: those that wait for them look at them again at {@code now}. */
    public void variablesChanged(ObjectKey key, long now) {
        TriggeredObject object = table.get(key);
        if (object != null) {
            wake(object, now);
        }
    }

    /** The configuration may have changed variables of any object. */
    public void variablesChanged(long now) {
        table.all().forEach(object -> wake(object, now));
    }

    /** Triggers that wait for variables of their object look at them again. */
    private void wake(TriggeredObject object, long now) {
        for (TriggerInstance instance : object.instances.values()) {
            wake(object, instance, now);
        }
    }

    /** Triggers that wait for variables that all share look at them again. */
    private void wakeSharing(long now) {
        for (TriggerSchedule.Place place : schedule.takeSharing()) {
            Due each = find(place);
            if (each != null && each.template().spec().has(TriggerSpec.SHARED)) {
                wake(each.object(), each.instance(), now);
            }
        }
    }

    private void wake(TriggeredObject object, TriggerInstance instance, long now) {
        if (instance.waiting && instance.state == TriggerState.ARMED) {
            instance.waiting = false;
            arming.armAt(object, instance, now);
            schedule.woken(object, instance);
            table.changed(object);
        }
    }
}
