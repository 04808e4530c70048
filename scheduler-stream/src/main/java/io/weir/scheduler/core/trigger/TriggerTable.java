package io.weir.scheduler.core.trigger;

import io.weir.scheduler.state.TriggerRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where all triggers stand. Of an object to which nothing happened that a trigger waits for, nothing is kept. What is due
 * is found by its instant, what is answered by the id of its firing; nothing is ever walked. Owned by the core's thread.
 */
public final class TriggerTable {
    /** Objects with triggers that something happened to. */
    public static final int MOST_OBJECTS = 200_000;

    /** Characters of all triggers together that were made by request, or by jobs for themselves. */
    public static final long MOST_TEXT = 64_000_000;

    private final SortedMap<ObjectKey, TriggeredObject> objects = new TreeMap<>();
    private final TriggerSchedule schedule = new TriggerSchedule();
    private final TriggerArming arming = new TriggerArming(schedule);
    private final TriggerEnds ends = new TriggerEnds(this, schedule, arming);
    private final TriggerFirings firings = new TriggerFirings(this, schedule, arming, ends);
    private final SortedMap<String, ObjectKey> stored = new TreeMap<>();
    private final SortedSet<String> changed = new TreeSet<>();

    /** Objects to which triggers with a threshold were attached. */
    private final SortedSet<ObjectKey> measured = new TreeSet<>();

    private final ObjectKey schedulerKey;
    private TriggerRules rules = TriggerRules.NONE;
    private Consumer<ObjectKey> full = key -> {};

    /** Those of {@link #MOST_TEXT} that are taken. */
    private long characters;

    /** A table without anything in it, of the scheduler of {@code cluster}. */
    public TriggerTable(String cluster) {
        schedulerKey = new ObjectKey("scheduler", cluster);
    }

    /** Tells {@code told} of each object for which there is no room, so that a trigger of it does not fire. */
    public void whenFull(Consumer<ObjectKey> told) {
        full = told;
    }

    /** Goes by other rules. */
    public void configure(TriggerRules inForce) {
        rules = inForce;
    }

    /** Returns the rules in force. */
    public TriggerRules rules() {
        return rules;
    }

    /** Returns the triggers whose time has come. */
    public TriggerFirings firings() {
        return firings;
    }

    /** Returns what becomes of triggers when their object is over. */
    public TriggerEnds ends() {
        return ends;
    }

    /** Returns what is known of an object; null for nothing. */
    public @Nullable TriggeredObject get(ObjectKey key) {
        return objects.isEmpty() ? null : objects.get(key);
    }

    /** Returns whether nothing has a trigger, and nothing is to get one by the configuration. */
    public boolean isIdle() {
        return objects.isEmpty() && rules.isEmpty();
    }

    /** Returns everything that is known, by object. */
    public Collection<TriggeredObject> all() {
        return Collections.unmodifiableCollection(objects.values());
    }

    /** Returns what is known of the scheduler itself; null for nothing. */
    @Nullable
    TriggeredObject scheduler() {
        return objects.get(schedulerKey);
    }

    /** Returns what is known of the scheduler itself, begun with nothing if need be; null where there is no room for it. */
    @Nullable
    TriggeredObject schedulerEntry() {
        return entry(schedulerKey, null);
    }

    private @Nullable TriggeredObject entry(ObjectKey key, @Nullable String owner) {
        TriggeredObject object = objects.get(key);
        if (object == null && objects.size() < MOST_OBJECTS) {
            object = new TriggeredObject(key);
            objects.put(key, object);
            stored.put(key.storedId(), key);
        }
        if (object == null) {
            full.accept(key);
        }
        if (object != null && (object.gone || !Objects.equals(object.owner, owner))) {
            object.owner = owner;
            object.gone = false;
            changed(object);
        }
        return object;
    }

    /** Says why triggers cannot be attached to an object from which those of {@code fewer} are taken; null when they can. */
    public @Nullable String refusal(ObjectKey key, Set<String> fewer, List<String> texts) {
        TriggeredObject object = objects.get(key);
        long own = object == null ? 0 : own(object);
        String taken = TriggerNames.repeated(texts.isEmpty() ? List.of() : names(key, object, fewer), texts);
        if (taken != null) {
            return "name " + taken + " is that of another trigger of " + key.type() + " " + key.id();
        }
        if (own - fewer.size() + texts.size() > TriggeredObject.MOST_OWN) {
            return key.type() + " " + key.id() + " has " + own + " triggers already; " + TriggeredObject.MOST_OWN
                    + " are allowed, so take one away first";
        }
        if (object == null && objects.size() >= MOST_OBJECTS && !texts.isEmpty()) {
            return objects.size() + " objects have triggers already, which is all that may";
        }
        long more = texts.stream().mapToLong(String::length).sum();
        return more > 0 && characters + more > MOST_TEXT
                ? "all triggers that were attached have " + characters + " characters; at most " + MOST_TEXT
                        + " are allowed, so take one away first"
                : null;
    }

    /** The names of the triggers an object has, and of those that a node will have by the configuration. */
    private SortedSet<String> names(ObjectKey key, @Nullable TriggeredObject object, Set<String> fewer) {
        SortedSet<String> names = new TreeSet<>();
        if (key.type().equals("node")) {
            rules().of("NODECFG", key.id())
                    .forEach(each -> names.add(each.spec().name()));
        }
        if (object != null) {
            for (TriggerInstance instance : object.instances.values()) {
                TriggerTemplate template = fewer.contains(instance.id) ? null : instance.template(rules());
                if (template != null) {
                    names.add(template.spec().name());
                }
            }
        }
        return names;
    }

    private static long own(TriggeredObject object) {
        return object.instances.values().stream()
                .filter(each -> each.text != null)
                .count();
    }

    /** Attaches a trigger to an object; returns its id, null when there is no room for it. */
    public @Nullable String attach(
            ObjectKey key, @Nullable String owner, String text, String principal, @Nullable Integer level) {
        TriggeredObject object = refusal(key, Set.of(), List.of(text)) == null ? entry(key, owner) : null;
        if (object == null) {
            return null;
        }
        String id = "t" + ++object.made;
        put(object, new TriggerInstance(id, text, principal, level));
        changed(object);
        return id;
    }

    private TriggerInstance put(TriggeredObject object, TriggerInstance instance) {
        object.instances.put(instance.id, instance);
        characters += length(instance);
        if (hasOwnThreshold(instance)) {
            measured.add(object.key);
        }
        return instance;
    }

    private boolean hasOwnThreshold(TriggerInstance instance) {
        TriggerTemplate template = instance.text == null ? null : instance.template(rules);
        return template != null && template.spec().threshold() != null;
    }

    /** Returns the objects of {@code type} to which triggers with a threshold were attached, sorted. */
    public List<ObjectKey> measured(String type) {
        return measured.isEmpty()
                ? List.of()
                : measured.stream().filter(key -> key.type().equals(type)).toList();
    }

    /** Returns the triggers with a threshold that were attached to an object. */
    public List<TriggerTemplate> ownThresholds(ObjectKey key) {
        TriggeredObject object = measured.contains(key) ? objects.get(key) : null;
        if (object == null) {
            return List.of();
        }
        List<TriggerTemplate> own = new ArrayList<>();
        for (TriggerInstance instance : object.instances.values()) {
            TriggerTemplate template = instance.template(rules);
            if (template != null && hasOwnThreshold(instance)) {
                own.add(template);
            }
        }
        return own;
    }

    private static int length(TriggerInstance instance) {
        String text = instance.text;
        return text == null ? 0 : text.length();
    }

    /** Returns whether a trigger of this id was made by request or by the object for itself. */
    public boolean isAttached(ObjectKey key, String id) {
        TriggeredObject object = objects.get(key);
        TriggerInstance instance = object == null ? null : object.instances.get(id);
        return instance != null && instance.text != null;
    }

    /** Takes a trigger that was made by request away; returns whether there was one. */
    public boolean detach(ObjectKey key, String id) {
        TriggeredObject object = objects.get(key);
        TriggerInstance instance = object == null ? null : object.instances.get(id);
        if (object == null || instance == null || instance.text == null) {
            return false;
        }
        drop(object, instance);
        changed(object);
        return true;
    }

    /**
     * Says that something happened to an object.
     *
     * @param templates triggers of the configuration and of the object itself
     * @param texts texts of those among them that the configuration does not have, by id
     * @param event what happened
     * @param generic name of the generic event; empty for others
     * @param at instant from which offsets count, epoch seconds; null for that of the next iteration
     */
    public void happened(
            ObjectKey key,
            @Nullable String owner,
            List<TriggerTemplate> templates,
            SortedMap<String, String> texts,
            TriggerEvent event,
            String generic,
            @Nullable Long at) {
        TriggeredObject known = objects.isEmpty() ? null : objects.get(key);
        if (templates.isEmpty() && known == null) {
            return;
        }
        for (TriggerTemplate template : templates) {
            if (matches(template.spec(), event, generic)) {
                TriggeredObject object = entry(key, owner);
                if (object == null) {
                    return;
                }
                TriggerInstance there = object.instances.get(template.id());
                TriggerInstance instance = there != null
                        ? there
                        : put(
                                object,
                                new TriggerInstance(
                                        template.id(),
                                        texts.get(template.id()),
                                        template.principal(),
                                        template.level()));
                arm(object, instance, template, event, generic, at);
            }
        }
        if (known != null) {
            for (TriggerInstance instance : List.copyOf(known.instances.values())) {
                TriggerTemplate template =
                        instance.text == null || texts.containsKey(instance.id) ? null : instance.template(rules);
                if (template != null && matches(template.spec(), event, generic)) {
                    arm(known, instance, template, event, generic, at);
                }
            }
        }
    }

    /** Returns whether a trigger that was attached to the object waits for the generic event {@code name}. */
    public boolean awaits(ObjectKey key, String name) {
        TriggeredObject object = objects.isEmpty() ? null : objects.get(key);
        if (object == null) {
            return false;
        }
        for (TriggerInstance instance : object.instances.values()) {
            TriggerTemplate template = instance.text == null ? null : instance.template(rules);
            if (template != null && matches(template.spec(), TriggerEvent.GEVENT, name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(TriggerSpec spec, TriggerEvent event, String generic) {
        return spec.event() == event && spec.genericEvent().equals(generic);
    }

    private void arm(
            TriggeredObject object,
            TriggerInstance instance,
            TriggerTemplate template,
            TriggerEvent event,
            String generic,
            @Nullable Long at) {
        String what = generic.isEmpty() ? event.word() : generic;
        if (arming.happened(object, instance, template.spec(), what, at)) {
            changed(object);
        }
    }

    /** Says that the value that a threshold is about is now {@code value}, and whether that passes it. */
    public void measured(
            ObjectKey key,
            @Nullable String owner,
            TriggerTemplate template,
            @Nullable String text,
            boolean passed,
            String value) {
        TriggeredObject object = objects.get(key);
        TriggerInstance instance = object == null ? null : object.instances.get(template.id());
        boolean known = instance != null && (instance.unsettled || instance.since != TriggerInstance.NEVER);
        if (passed == known) {
            renew(object, instance, template, value);
            return;
        }
        object = passed ? entry(key, owner) : object;
        if (object == null) {
            return;
        }
        if (instance == null) {
            instance = put(object, new TriggerInstance(template.id(), text, template.principal(), template.level()));
        }
        instance.value = value;
        instance.event = TriggerEvent.THRESHOLD.word();
        if (passed) {
            schedule.unsettle(object, instance);
        } else {
            arming.thresholdLeft(object, instance);
        }
        changed(object);
    }

    /** A trigger that is still to fire does so with the value of that time, not with the first that passed its threshold. */
    private void renew(
            @Nullable TriggeredObject object,
            @Nullable TriggerInstance instance,
            TriggerTemplate template,
            String value) {
        if (object == null || instance == null || instance.value.equals(value)) {
            return;
        }
        boolean passed = instance.unsettled || instance.since != TriggerInstance.NEVER;
        if (passed && TriggerArming.fires(instance, template.spec())) {
            instance.value = value;
            changed(object);
        }
    }

    /** Gives what happened since the last iteration its instant. */
    public void settle(long now) {
        for (TriggerSchedule.Place place = schedule.takeUnsettled(); place != null; place = schedule.takeUnsettled()) {
            TriggeredObject object = objects.get(place.object());
            TriggerInstance instance = object == null ? null : object.instances.get(place.id());
            TriggerTemplate template = instance == null ? null : instance.template(rules);
            if (object == null || instance == null) {
                continue;
            }
            instance.unsettled = false;
            if (template == null) {
                drop(object, instance);
            } else {
                arming.settled(object, instance, template.spec(), now);
            }
            changed(object);
        }
    }

    /** Returns what a trigger is; null when the configuration does not have it any more. */
    public @Nullable TriggerTemplate template(TriggerInstance instance) {
        return instance.template(rules);
    }

    /** Begins a trigger that fires with a period; nothing happens when it is there. */
    public void begin(ObjectKey key, TriggerTemplate template, long now) {
        TriggerPeriod period = template.spec().period();
        TriggeredObject object = period == null ? null : entry(key, null);
        if (period != null && object != null && !object.instances.containsKey(template.id())) {
            TriggerInstance instance = new TriggerInstance(template.id(), null, null, null);
            instance.event = template.spec().event().word();
            object.instances.put(template.id(), instance);
            arming.begin(object, instance, template.spec(), period, now);
            changed(object);
        }
    }

    void forgetIfDone(TriggeredObject object) {
        if (object.forgettable()) {
            List.copyOf(object.instances.values()).forEach(instance -> drop(object, instance));
            objects.remove(object.key);
            stored.remove(object.key.storedId());
            changed(object);
        }
    }

    void drop(TriggeredObject object, TriggerInstance instance) {
        schedule.release(object, instance);
        schedule.settle(object, instance);
        if (object.instances.remove(instance.id) != null) {
            characters -= length(instance);
        }
        if (hasOwnThreshold(instance) && object.instances.values().stream().noneMatch(this::hasOwnThreshold)) {
            measured.remove(object.key);
        }
    }

    void changed(TriggeredObject object) {
        changed.add(object.key.storedId());
    }

    /** Returns when there is something to do without anything happening, epoch seconds; null for never. */
    public @Nullable Long nextWake(long now) {
        return schedule.nextWake(now);
    }

    /** Returns the ids of stored entities, sorted. */
    public List<String> ids() {
        return List.copyOf(stored.keySet());
    }

    /** Takes over a stored version. */
    public void restore(TriggerRecord record) {
        TriggeredObject object = TriggeredObject.from(record);
        objects.put(object.key, object);
        stored.put(object.key.storedId(), object.key);
        schedule.restore(object);
        for (TriggerInstance instance : object.instances.values()) {
            characters += length(instance);
            if (hasOwnThreshold(instance)) {
                measured.add(object.key);
            }
        }
    }

    /** Returns the stored entity of an id; null when it is gone. */
    public @Nullable TriggerRecord toRecord(String cluster, String id) {
        ObjectKey key = stored.get(id);
        TriggeredObject object = key == null ? null : objects.get(key);
        return object == null ? null : object.toRecord(cluster);
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
