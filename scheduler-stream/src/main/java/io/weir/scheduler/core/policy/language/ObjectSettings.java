package io.weir.scheduler.core.policy.language;

import io.weir.scheduler.core.policy.language.parameter.Attribute;
import io.weir.scheduler.core.policy.language.parameter.Parameter;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one object, such as {@code NODECFG[n1]}. What it does not say, the object's DEFAULT says, then the
 * register. A list that is only added to or taken from begins as the DEFAULT's.
 */
public final class ObjectSettings implements SettingSource {
    /** How an attribute was written. */
    enum Operation {
        SET,
        ADD,
        REMOVE
    }

    /** One writing of an attribute. */
    private record Assignment(Operation operation, PolicyValue value, Origin origin) {}

    /**
     * An item of a list.
     *
     * @param text the item
     * @param origin where it was written; null for one that the register begins the list with
     */
    public record Item(String text, @Nullable Origin origin) {}

    private final Parameter parameter;
    private final String id;
    private final @Nullable ObjectSettings fallback;
    private final SortedMap<String, Attribute> known;
    private final Map<String, List<Assignment>> written = new LinkedHashMap<>();
    private final SortedMap<String, PolicyValue> effective = new TreeMap<>();
    private final SortedMap<String, List<Item>> listed = new TreeMap<>();

    ObjectSettings(Parameter parameter, String id, @Nullable ObjectSettings fallback) {
        this.parameter = parameter;
        this.id = id;
        this.fallback = fallback;
        this.known = parameter.byName();
    }

    /** Returns the parameter that it is an object of, such as NODECFG. */
    public String parameterName() {
        return parameter.name();
    }

    /** Returns the object's index. */
    public String id() {
        return id;
    }

    /** Returns the names of the attributes written for this very object, in the order written. */
    public List<String> writtenNames() {
        return List.copyOf(written.keySet());
    }

    /** Returns whether {@code name} was written for this very object. */
    public boolean isOwn(String name) {
        return written.containsKey(name);
    }

    /** Returns whether the object can have an attribute {@code name}. */
    public boolean knows(String name) {
        return known.containsKey(name);
    }

    @Nullable
    Attribute attribute(String name) {
        return known.get(name);
    }

    /** Returns the names an attribute may have. */
    List<String> names() {
        return List.copyOf(known.keySet());
    }

    void write(Attribute attribute, Operation operation, PolicyValue value, Origin origin) {
        List<Assignment> assignments = written.computeIfAbsent(attribute.name(), name -> new ArrayList<>());
        if (operation == Operation.SET && !attribute.repeatable()) {
            assignments.clear();
        }
        assignments.add(new Assignment(operation, value, origin));
    }

    /** Works out every value; called once, after all lines. */
    void resolve() {
        for (Attribute attribute : parameter.attributes()) {
            PolicyValue value = resolved(attribute);
            if (value != null) {
                effective.put(attribute.name(), value);
            }
        }
    }

    /** Returns the items of a list, in its order, each with where it was written. */
    public List<Item> written(String name) {
        return listed.getOrDefault(name, List.of());
    }

    @Override
    public @Nullable PolicyValue value(String name) {
        if (!known.containsKey(name)) {
            throw new IllegalArgumentException(parameter.name() + " has no attribute " + name);
        }
        return effective.get(name);
    }

    @Override
    public @Nullable Origin origin(String name) {
        List<Assignment> own = written.get(name);
        if (own == null || own.isEmpty()) {
            return fallback == null ? null : fallback.origin(name);
        }
        return own.get(own.size() - 1).origin();
    }

    private @Nullable PolicyValue resolved(Attribute attribute) {
        List<Assignment> own = written.getOrDefault(attribute.name(), List.of());
        PolicyValue standard = PolicySettings.standard(attribute);
        PolicyValue inherited = fallback == null ? standard : fallback.effective.get(attribute.name());
        List<Item> begin = fallback == null ? items(standard, null) : fallback.written(attribute.name());
        if (own.isEmpty()) {
            listed.put(attribute.name(), begin);
            return inherited;
        }
        Assignment first = own.get(0);
        if (!attribute.repeatable() && own.size() == 1 && first.operation() == Operation.SET) {
            listed.put(attribute.name(), items(first.value(), first.origin()));
            return first.value();
        }
        List<Item> items = new ArrayList<>();
        if (attribute.repeatable() || first.operation() != Operation.SET) {
            items.addAll(begin);
        }
        for (Assignment assignment : own) {
            for (Item item : items(assignment.value(), assignment.origin())) {
                if (assignment.operation() == Operation.REMOVE) {
                    items.removeIf(there -> isNamed(there.text(), item.text()));
                } else if (attribute.repeatable()
                        || items.stream().noneMatch(there -> there.text().equals(item.text()))) {
                    items.add(item);
                }
            }
        }
        listed.put(attribute.name(), List.copyOf(items));
        return new PolicyValue.Items(items.stream().map(Item::text).toList());
    }

    private static List<Item> items(@Nullable PolicyValue value, @Nullable Origin origin) {
        if (value == null) {
            return List.of();
        }
        List<String> texts = value instanceof PolicyValue.Items list ? list.items() : List.of(value.text());
        return texts.stream().map(text -> new Item(text, origin)).toList();
    }

    private static boolean isNamed(String item, String name) {
        return item.equals(name) || item.startsWith(name + "=") || item.startsWith(name + ":");
    }
}
