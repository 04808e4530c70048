package io.weir.scheduler.core.event;

import io.weir.scheduler.state.EventRecord;
import io.weir.schemas.bound.Bound;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The events that the configuration acts on, by object: what occurred, what is due, what escalates when. An occurrence
 * costs a look-up; nothing is ever walked. Owned by the core's thread.
 */
public final class EventTable {
    /** Events on objects that are remembered at most; of further ones people are told as of events without a rule. */
    public static final int MOST = 200_000;

    private static final Bound.Prose TEXT = new Bound.Prose(1_024, true);

    private final SortedMap<EventKey, ObjectEvent> events = new TreeMap<>();
    private final SortedSet<EventKey> due = new TreeSet<>();

    /** Events that are over and have something to take back. */
    private final SortedSet<EventKey> ended = new TreeSet<>();

    /** Events whose next step of escalation is at an instant. */
    private final SortedMap<Long, SortedSet<EventKey>> escalations = new TreeMap<>();

    /** Events with occurrences that the next iteration counts. */
    private final SortedSet<EventKey> unsettled = new TreeSet<>();

    private final SortedSet<String> changed = new TreeSet<>();
    private final SortedMap<String, EventKey> stored = new TreeMap<>();
    private EventRules rules = EventRules.NONE;

    /** Nodes that rules name to be disabled, whatever the object of the event. */
    private final SortedSet<String> named = new TreeSet<>();

    /**
     * Goes by other rules; what happened under a name that none of them has is forgotten, and taken back first where its
     * object was disabled.
     */
    public void configure(EventRules inForce) {
        if (rules.equals(inForce)) {
            return;
        }
        rules = inForce;
        for (EventKey key : List.copyOf(events.keySet())) {
            EventRule rule = rules.of(key.event());
            ObjectEvent event = events.get(key);
            if (rule == null && event != null && event.disabled) {
                due.remove(key);
                unsettled.remove(key);
                event.pending = 0;
                event.due = false;
                event.over();
                ended.add(key);
                changed.add(key.storedId());
            } else if (rule == null) {
                forget(key);
            }
        }
        named.clear();
        for (EventRule rule : rules.byEvent().values()) {
            named.addAll(rule.disabled(new EventKey("", "", rule.event())));
        }
        escalations.clear();
        events.values().forEach(this::schedule);
    }

    /** Returns whether anything is done on any event. */
    public boolean actsOnAny() {
        return !rules.byEvent().isEmpty();
    }

    /** Returns what is done on {@code event}; null for nothing. */
    public @Nullable EventRule rule(String event) {
        return rules.of(event);
    }

    /** Returns the rules in force. */
    public EventRules rules() {
        return rules;
    }

    /**
     * Says that {@code key}'s event occurred on its object at {@code millis}, epoch milliseconds. Returns whether the
     * configuration acts on the event, now or later; not where too many are remembered already.
     */
    public boolean occurred(EventKey key, String text, long millis) {
        EventRule rule = rules.of(key.event());
        if (rule == null) {
            return false;
        }
        ObjectEvent event = entry(key);
        if (event == null) {
            return false;
        }
        count(event, rule, TEXT.cut(text), millis);
        return true;
    }

    /**
     * Says that {@code key}'s event occurred on its object since the last iteration; the next one counts it, at its
     * instant. Returns whether the configuration acts on the event, now or later; not where too many are remembered already.
     */
    public boolean occurred(EventKey key, String text) {
        if (rules.of(key.event()) == null) {
            return false;
        }
        ObjectEvent event = entry(key);
        if (event == null) {
            return false;
        }
        event.pending++;
        event.pendingOver = false;
        event.text = TEXT.cut(text);
        unsettled.add(key);
        changed.add(key.storedId());
        return true;
    }

    /** Counts what occurred since the last iteration as having occurred at {@code nowMillis}. */
    public void settle(long nowMillis) {
        while (!unsettled.isEmpty()) {
            EventKey key = unsettled.first();
            unsettled.remove(key);
            ObjectEvent event = events.get(key);
            EventRule rule = rules.of(key.event());
            if (event != null && rule != null) {
                for (; event.pending > 0; event.pending--) {
                    count(event, rule, event.text, nowMillis);
                }
                if (event.pendingOver) {
                    over(key);
                }
            }
        }
    }

    private void count(ObjectEvent event, EventRule rule, String text, long millis) {
        ended.remove(event.key);
        if (event.occurred(rule, text, millis)) {
            due.add(event.key);
            schedule(event);
        }
        changed.add(event.key.storedId());
    }

    /** Returns the entry of a key, a new one if need be; null when there are too many already. */
    private @Nullable ObjectEvent entry(EventKey key) {
        ObjectEvent event = events.get(key);
        if (event == null && events.size() < MOST) {
            event = new ObjectEvent(key);
            events.put(key, event);
            stored.put(key.storedId(), key);
        }
        return event;
    }

    /** Returns whether the same was heard of before: the same event on the same object at the same instant. */
    public boolean isKnown(EventKey key, long millis) {
        ObjectEvent event = events.get(key);
        return event != null && event.lastMillis == millis;
    }

    /** Says that what was reported is over. */
    public void over(EventKey key) {
        ObjectEvent event = events.get(key);
        if (event != null && event.pending > 0) {
            event.pendingOver = true;
            changed.add(key.storedId());
        } else if (event != null && event.active) {
            unschedule(event);
            event.over();
            event.pendingOver = false;
            if (event.disabled) {
                ended.add(key);
            }
            changed.add(key.storedId());
        }
    }

    /** Forgets an object that is gone. */
    public void forget(String objectType, String objectId) {
        if (events.isEmpty()) {
            return;
        }
        EventKey first = new EventKey(objectType, objectId, "");
        for (EventKey key : List.copyOf(events.tailMap(first).keySet())) {
            if (!key.objectType().equals(objectType) || !key.objectId().equals(objectId)) {
                return;
            }
            forget(key);
        }
    }

    private void forget(EventKey key) {
        ObjectEvent event = events.remove(key);
        if (event != null) {
            unschedule(event);
            due.remove(key);
            ended.remove(key);
            unsettled.remove(key);
            stored.remove(key.storedId());
            changed.add(key.storedId());
        }
    }

    /** Returns up to {@code most} events that are due, in order; they are due no longer. */
    public List<ObjectEvent> takeDue(int most) {
        if (due.isEmpty()) {
            return List.of();
        }
        List<ObjectEvent> taken = new ArrayList<>();
        while (!due.isEmpty() && taken.size() < most) {
            EventKey key = due.first();
            due.remove(key);
            ObjectEvent event = events.get(key);
            if (event != null) {
                event.due = false;
                changed.add(key.storedId());
                taken.add(event);
            }
        }
        return taken;
    }

    /** Returns up to {@code most} events that are over and had their object disabled, which is remembered no longer. */
    public List<ObjectEvent> takeEnded(int most) {
        if (ended.isEmpty()) {
            return List.of();
        }
        List<ObjectEvent> taken = new ArrayList<>();
        while (!ended.isEmpty() && taken.size() < most) {
            EventKey key = ended.first();
            ended.remove(key);
            ObjectEvent event = events.get(key);
            if (event != null) {
                event.disabled = false;
                changed.add(key.storedId());
                taken.add(event);
                if (rules.of(key.event()) == null) {
                    forget(key);
                }
            }
        }
        return taken;
    }

    /**
     * A step of the escalation of an event.
     *
     * @param event the event
     * @param action what is done
     */
    public record Step(ObjectEvent event, EventAction action) {}

    /** Returns up to {@code most} steps of escalation that are due at {@code now}, which count as taken. */
    public List<Step> takeEscalations(long now, int most) {
        if (escalations.isEmpty()) {
            return List.of();
        }
        List<Step> steps = new ArrayList<>();
        while (!escalations.isEmpty() && escalations.firstKey() <= now && steps.size() < most) {
            EventKey key = Objects.requireNonNull(escalations.get(escalations.firstKey()))
                    .first();
            ObjectEvent event = events.get(key);
            EventRule rule = rules.of(key.event());
            if (event == null || rule == null) {
                throw new IllegalStateException("an escalation of " + key + " is scheduled, which is not known");
            }
            unschedule(event);
            steps.add(new Step(event, rule.escalations().get(event.escalated).action()));
            event.escalated++;
            changed.add(key.storedId());
            schedule(event);
        }
        return steps;
    }

    private void schedule(ObjectEvent event) {
        long at = nextStep(event);
        if (at != ObjectEvent.NEVER) {
            escalations.computeIfAbsent(at, instant -> new TreeSet<>()).add(event.key);
        }
    }

    private void unschedule(ObjectEvent event) {
        long at = nextStep(event);
        SortedSet<EventKey> there = at == ObjectEvent.NEVER ? null : escalations.get(at);
        if (there != null) {
            there.remove(event.key);
            if (there.isEmpty()) {
                escalations.remove(at);
            }
        }
    }

    private long nextStep(ObjectEvent event) {
        EventRule rule = rules.of(event.key.event());
        return rule == null
                        || event.since == ObjectEvent.NEVER
                        || event.escalated >= rule.escalations().size()
                ? ObjectEvent.NEVER
                : event.since + rule.escalations().get(event.escalated).seconds();
    }

    /** Remembers that an object was disabled because of an event. */
    public void disabled(ObjectEvent event) {
        event.disabled = true;
        if (!event.active) {
            ended.add(event.key);
        }
        changed.add(event.key.storedId());
    }

    /** Returns whether an event that lasts keeps a node from taking jobs. */
    public boolean disables(String node) {
        return of("node", node).stream().anyMatch(event -> disables(event, node))
                || (named.contains(node) && events.values().stream().anyMatch(event -> disables(event, node)));
    }

    private boolean disables(ObjectEvent event, String node) {
        EventRule rule = rules.of(event.key.event());
        return event.active
                && event.disabled
                && rule != null
                && rule.disabled(event.key).contains(node);
    }

    /** Returns when there is something to do without anything happening, epoch seconds; null for never. */
    public @Nullable Long nextWake(long now) {
        if (!due.isEmpty() || !ended.isEmpty() || !unsettled.isEmpty()) {
            return now + 1;
        }
        return escalations.isEmpty() ? null : Long.valueOf(Math.max(now + 1, escalations.firstKey()));
    }

    /** Returns the events on an object, by name. */
    public List<ObjectEvent> of(String objectType, String objectId) {
        List<ObjectEvent> found = new ArrayList<>();
        for (ObjectEvent event :
                events.tailMap(new EventKey(objectType, objectId, "")).values()) {
            if (!event.key.objectType().equals(objectType)
                    || !event.key.objectId().equals(objectId)) {
                break;
            }
            found.add(event);
        }
        return found;
    }

    /** Returns all events, by object. */
    public Collection<ObjectEvent> all() {
        return Collections.unmodifiableCollection(events.values());
    }

    /** Returns the ids of stored entities, sorted. */
    public List<String> ids() {
        return List.copyOf(stored.keySet());
    }

    /** Takes over a stored version. */
    public void restore(EventRecord record) {
        ObjectEvent event = ObjectEvent.from(record);
        events.put(event.key, event);
        stored.put(event.key.storedId(), event.key);
        if (event.due) {
            due.add(event.key);
        }
        if (event.disabled && !event.active) {
            ended.add(event.key);
        }
        if (event.pending > 0) {
            unsettled.add(event.key);
        }
        schedule(event);
    }

    /** Returns the stored entity of an id; null when it is gone. */
    public @Nullable EventRecord toRecord(String cluster, String id) {
        EventKey key = stored.get(id);
        ObjectEvent event = key == null ? null : events.get(key);
        return event == null ? null : event.toRecord(cluster);
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
}
