package io.weir.scheduler.core.trigger;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What triggers wait for: an instant, the next iteration, the answer to a firing, or answers to requests. An index over
 * the {@linkplain TriggerInstance instances}, which say the same; rebuilt from them with {@link #restore}.
 */
final class TriggerSchedule {
    /** A trigger of an object, in the order in which those due at one instant fire. */
    record Place(ObjectKey object, String id) implements Comparable<Place> {
        static Place of(TriggeredObject object, TriggerInstance instance) {
            return new Place(object.key, instance.id);
        }

        @Override
        public int compareTo(Place other) {
            int byObject = object.compareTo(other.object);
            return byObject != 0 ? byObject : id.compareTo(other.id);
        }
    }

    private final SortedMap<Long, SortedSet<Place>> due = new TreeMap<>();
    private final SortedSet<Place> unsettled = new TreeSet<>();

    /** Triggers that wait for the answers to requests. */
    private final SortedSet<Place> requesting = new TreeSet<>();

    private final SortedMap<String, Place> firings = new TreeMap<>();

    /** Triggers that may wait for variables that all triggers share. */
    private final SortedSet<Place> sharing = new TreeSet<>();

    /** Triggers for whose action the start of jobs waits. */
    private final SortedSet<Place> blocking = new TreeSet<>();

    /** Triggers whose program the next iteration has stopped. */
    private final SortedSet<Place> stopping = new TreeSet<>();

    /** Triggers that got what they waited for since {@link #forgetWoken}. */
    private final SortedSet<Place> woken = new TreeSet<>();

    /** The trigger is to be looked at when its {@code due} has come. */
    void schedule(TriggeredObject object, TriggerInstance instance) {
        due.computeIfAbsent(instance.due, instant -> new TreeSet<>()).add(Place.of(object, instance));
    }

    /** The trigger waits for no instant any more. */
    void unschedule(TriggeredObject object, TriggerInstance instance) {
        SortedSet<Place> there = instance.due == TriggerInstance.NEVER ? null : due.get(instance.due);
        if (there != null && there.remove(Place.of(object, instance)) && there.isEmpty()) {
            due.remove(instance.due);
        }
        instance.due = TriggerInstance.NEVER;
    }

    /** The next iteration gives what happened its instant. */
    void unsettle(TriggeredObject object, TriggerInstance instance) {
        instance.unsettled = true;
        unsettled.add(Place.of(object, instance));
    }

    /** The trigger does not wait for the next iteration any more. */
    void settle(TriggeredObject object, TriggerInstance instance) {
        instance.unsettled = false;
        unsettled.remove(Place.of(object, instance));
    }

    /** Takes the first trigger that waits for an iteration; null when none does. */
    @Nullable
    Place takeUnsettled() {
        if (unsettled.isEmpty()) {
            return null;
        }
        Place first = unsettled.first();
        unsettled.remove(first);
        return first;
    }

    /** Returns the first trigger whose time has come at {@code now}; null for none. It stays scheduled. */
    @Nullable
    Place firstDue(long now) {
        boolean none = due.isEmpty() || due.firstKey() > now;
        return none ? null : Objects.requireNonNull(due.get(due.firstKey())).first();
    }

    /** The trigger waits for the answer to a firing, at the longest until {@code giveUp}, epoch seconds. */
    void await(TriggeredObject object, TriggerInstance instance, String firingId, long giveUp) {
        instance.firingId = firingId;
        firings.put(firingId, Place.of(object, instance));
        instance.due = giveUp;
        schedule(object, instance);
    }

    /** The trigger waits for answers to requests, at the longest until {@code giveUp}, epoch seconds. */
    void await(TriggeredObject object, TriggerInstance instance, List<String> requests, long giveUp) {
        unschedule(object, instance);
        instance.due = giveUp;
        schedule(object, instance);
        instance.requests = List.copyOf(requests);
        requesting.add(Place.of(object, instance));
    }

    /** Returns the trigger that waits for the answer to a firing; null for none. */
    @Nullable
    Place awaiting(String firingId) {
        return firings.isEmpty() ? null : firings.get(firingId);
    }

    /** Returns the triggers that wait for answers to requests. */
    List<Place> requesting() {
        return requesting.isEmpty() ? List.of() : List.copyOf(requesting);
    }

    /** The trigger waits for variables that all triggers share. */
    void awaitShared(TriggeredObject object, TriggerInstance instance) {
        sharing.add(Place.of(object, instance));
    }

    /** Takes the triggers that may wait for variables that all triggers share; those that still do are to be added again. */
    List<Place> takeSharing() {
        List<Place> taken = List.copyOf(sharing);
        sharing.clear();
        return taken;
    }

    /** No job starts until {@code until}, epoch seconds, unless the trigger's action is over before. */
    void block(TriggeredObject object, TriggerInstance instance, long until) {
        instance.blocksUntil = until;
        blocking.add(Place.of(object, instance));
    }

    /** The start of jobs does not wait for the trigger's action. */
    void unblock(TriggeredObject object, TriggerInstance instance) {
        instance.blocksUntil = TriggerInstance.NEVER;
        blocking.remove(Place.of(object, instance));
    }

    /** Returns the triggers for whose action the start of jobs waits, or did until their time was over. */
    List<Place> blocking() {
        return blocking.isEmpty() ? List.of() : List.copyOf(blocking);
    }

    /** The next iteration has the trigger's program stopped. */
    void stop(TriggeredObject object, TriggerInstance instance) {
        instance.stopDue = true;
        stopping.add(Place.of(object, instance));
    }

    /** Takes the triggers whose program is to be stopped. */
    List<Place> takeStopping() {
        List<Place> taken = List.copyOf(stopping);
        stopping.clear();
        return taken;
    }

    /** The trigger, which is due, was waked by a variable. */
    void woken(TriggeredObject object, TriggerInstance instance) {
        woken.add(Place.of(object, instance));
    }

    /** Takes the first trigger that was waked by a variable; null for none. It stays scheduled. */
    @Nullable
    Place takeWoken() {
        if (woken.isEmpty()) {
            return null;
        }
        Place first = woken.first();
        woken.remove(first);
        return first;
    }

    /** Those that were waked are nothing but due from now on. */
    void forgetWoken() {
        woken.clear();
    }

    /** The trigger waits for no instant, no variable and no answer any more. */
    void release(TriggeredObject object, TriggerInstance instance) {
        unschedule(object, instance);
        sharing.remove(Place.of(object, instance));
        woken.remove(Place.of(object, instance));
        unblock(object, instance);
        stopping.remove(Place.of(object, instance));
        instance.stopDue = false;
        instance.cleansUp = false;
        String firing = instance.firingId;
        if (firing != null) {
            firings.remove(firing);
            instance.firingId = null;
        }
        if (!instance.requests.isEmpty()) {
            instance.requests = List.of();
            requesting.remove(Place.of(object, instance));
        }
    }

    /** Returns when there is something to do without anything happening, epoch seconds; null for never. */
    @Nullable
    Long nextWake(long now) {
        if (!unsettled.isEmpty() || !stopping.isEmpty()) {
            return now + 1;
        }
        return due.isEmpty() ? null : Long.valueOf(Math.max(now + 1, due.firstKey()));
    }

    /** Takes over what the object's triggers wait for. */
    void restore(TriggeredObject object) {
        for (TriggerInstance instance : object.instances.values()) {
            Place place = Place.of(object, instance);
            if (instance.due != TriggerInstance.NEVER) {
                schedule(object, instance);
            }
            if (instance.unsettled) {
                unsettled.add(place);
            }
            if (!instance.requests.isEmpty()) {
                requesting.add(place);
            }
            if (instance.waiting) {
                sharing.add(place);
            }
            if (instance.blocksUntil != TriggerInstance.NEVER) {
                blocking.add(place);
            }
            if (instance.stopDue) {
                stopping.add(place);
            }
            String firing = instance.firingId;
            if (firing != null) {
                firings.put(firing, place);
            }
        }
    }
}
