package io.weir.scheduler.core.trigger;

import org.jspecify.annotations.Nullable;

/** What arms a trigger: its event, its threshold, its period, or a firing after which it fires again. */
final class TriggerArming {
    private final TriggerSchedule schedule;

    TriggerArming(TriggerSchedule schedule) {
        this.schedule = schedule;
    }

    /**
     * The trigger's event happened.
     *
     * @param what word of the event
     * @param at instant from which its offset counts, epoch seconds; null for that of the next iteration
     * @return whether that changed anything
     */
    boolean happened(
            TriggeredObject object, TriggerInstance instance, TriggerSpec spec, String what, @Nullable Long at) {
        boolean timed = at != null && instance.state == TriggerState.ARMED;
        if (spec.threshold() == null && instance.attempt > 0) {
            return happenedMeanwhile(instance, spec);
        }
        if (!fires(instance, spec)
                || instance.state == TriggerState.ACTIVE
                || (instance.state == TriggerState.ARMED && !timed)) {
            return false;
        }
        schedule.unschedule(object, instance);
        arm(instance);
        instance.event = what;
        if (at == null) {
            schedule.unsettle(object, instance);
        } else {
            schedule(object, instance, rearmed(instance, spec, at + spec.offsetSeconds()));
        }
        return true;
    }

    /**
     * The trigger's event happened while its action is under way or about to be tried again: it fires for that, once, when it
     * is {@linkplain #through through}. What was to be announced ahead of its time no longer is.
     */
    private static boolean happenedMeanwhile(TriggerInstance instance, TriggerSpec spec) {
        if (!spec.multiFire() || spec.offsetSeconds() < 0 || instance.happenedMeanwhile) {
            return false;
        }
        instance.happenedMeanwhile = true;
        return true;
    }

    /** The trigger's action is over, and is not tried again: what happened meanwhile fires it anew, unless its object is gone. */
    void through(TriggeredObject object, TriggerInstance instance) {
        boolean fires = instance.happenedMeanwhile && instance.state != TriggerState.ARMED && !object.gone;
        instance.happenedMeanwhile = false;
        if (fires) {
            arm(instance);
            schedule.unsettle(object, instance);
        }
    }

    /** Gives what happened since the last iteration its instant. */
    void settled(TriggeredObject object, TriggerInstance instance, TriggerSpec spec, long now) {
        if (spec.threshold() != null) {
            instance.since = now;
            thresholdPassed(object, instance, spec);
        } else {
            schedule(object, instance, rearmed(instance, spec, now + spec.offsetSeconds()));
        }
    }

    /** Arms a trigger whose threshold is passed, unless it fired for good. */
    private void thresholdPassed(TriggeredObject object, TriggerInstance instance, TriggerSpec spec) {
        if (fires(instance, spec) && instance.state != TriggerState.ACTIVE && instance.since != TriggerInstance.NEVER) {
            schedule.unschedule(object, instance);
            arm(instance);
            schedule(object, instance, rearmed(instance, spec, instance.since + spec.failOffsetSeconds()));
        }
    }

    /** The trigger's threshold is passed no longer. */
    void thresholdLeft(TriggeredObject object, TriggerInstance instance) {
        instance.since = TriggerInstance.NEVER;
        schedule.settle(object, instance);
        if (instance.state == TriggerState.ARMED) {
            disarm(object, instance);
            instance.waiting = false;
        }
    }

    /**
     * A trigger that may fire again does so while its threshold stays passed or was passed anew, in its interval, or with its
     * period. Its object is not over.
     */
    void again(TriggeredObject object, TriggerInstance instance, TriggerSpec spec, long now) {
        TriggerPeriod period = spec.period();
        if (period != null) {
            // A period that began during the action is made up for, once however many began.
            long next = period.nextStart(instance.fired - spec.offsetSeconds()) + spec.offsetSeconds();
            armAt(object, instance, Math.max(next, now));
        } else if (spec.threshold() != null && (spec.rearm() > 0 || instance.since > instance.fired)) {
            thresholdPassed(object, instance, spec);
        } else if (spec.interval()) {
            armAt(object, instance, instance.fired + spec.rearm());
        }
    }

    /** Begins a period of a trigger. */
    void begin(TriggeredObject object, TriggerInstance instance, TriggerSpec spec, TriggerPeriod period, long now) {
        armAt(object, instance, period.nextStart(now) + spec.offsetSeconds());
    }

    /** Arms a trigger for {@code at}, epoch seconds. */
    void armAt(TriggeredObject object, TriggerInstance instance, long at) {
        instance.state = TriggerState.ARMED;
        schedule(object, instance, at);
    }

    /** The trigger is armed no longer. */
    void disarm(TriggeredObject object, TriggerInstance instance) {
        schedule.unschedule(object, instance);
        instance.state = TriggerState.INACTIVE;
    }

    private void schedule(TriggeredObject object, TriggerInstance instance, long at) {
        instance.due = at;
        schedule.schedule(object, instance);
    }

    private static void arm(TriggerInstance instance) {
        instance.state = TriggerState.ARMED;
        instance.attempt = 0;
        instance.waiting = false;
    }

    /** Returns whether a trigger has yet to fire, or may again. */
    static boolean fires(TriggerInstance instance, TriggerSpec spec) {
        return instance.fired == TriggerInstance.NEVER || spec.multiFire();
    }

    private static long rearmed(TriggerInstance instance, TriggerSpec spec, long at) {
        return instance.fired == TriggerInstance.NEVER ? at : Math.max(at, instance.fired + spec.rearm());
    }
}
