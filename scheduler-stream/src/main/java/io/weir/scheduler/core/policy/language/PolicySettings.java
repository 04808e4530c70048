package io.weir.scheduler.core.policy.language;

import io.weir.scheduler.core.policy.language.parameter.Attribute;
import io.weir.scheduler.core.policy.language.parameter.IndexRule;
import io.weir.scheduler.core.policy.language.parameter.Parameter;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import io.weir.scheduler.core.policy.language.parameter.UnimplementedParameters;
import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.language.value.Token;
import io.weir.scheduler.core.policy.language.value.ValueType;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A configuration text, read: the value of every parameter, written or default, and what was found about each line. As a
 * {@link SettingSource} it gives the parameters without an index. Read once per policy version; not changed afterwards.
 */
public final class PolicySettings implements SettingSource {
    /** A value, where it was written, and how many were written before its parameter and index were first. */
    private record Setting(PolicyValue value, Origin origin, int order) {}

    /**
     * A value in force, for people.
     *
     * @param parameter parameter with its index, and the attribute behind a blank
     * @param text the value
     * @param origin where it was written; null for a default
     * @param note that nothing acts on it yet, or why it is not in force after all; empty where it works
     */
    public record Effective(
            String parameter, String text, @Nullable Origin origin, String note) {
        /** Returns the place where it was written, or that it is a default, and the note. */
        public String source() {
            return (origin == null ? "default" : origin.toString()) + (note.isEmpty() ? "" : "; " + note);
        }
    }

    private final ParameterRegistry registry;
    private final SortedMap<String, Map<String, Setting>> plain = new TreeMap<>();
    private final SortedMap<String, Map<String, ObjectSettings>> objects = new TreeMap<>();
    private final SortedMap<String, PolicyValue> standards = new TreeMap<>();
    private final List<PolicyProblem> problems = new ArrayList<>();
    private List<PolicyLine> lines = List.of();
    private int writings;

    PolicySettings(ParameterRegistry registry) {
        this.registry = registry;
        for (Parameter parameter : registry.parameters()) {
            ValueType type = parameter.type();
            if (type != null && parameter.standard() != null) {
                standards.put(parameter.name(), standard(parameter.name(), type, parameter.standard()));
            }
        }
    }

    /** Reads {@code text}; never fails, but reports. */
    public static PolicySettings read(String text) {
        return read(PolicyLine.parse(text));
    }

    /** Reads the lines of a configuration. */
    public static PolicySettings read(List<PolicyLine> lines) {
        PolicySettings settings = new PolicySettings(ParameterRegistry.get());
        new SettingsReader(settings).read(lines);
        return settings;
    }

    // --- parameters -------------------------------------------------------------------------------------------------

    @Override
    public @Nullable PolicyValue value(String name) {
        Setting setting = settings(name).get(registry.require(name).index().absent());
        return setting == null ? standards.get(name) : setting.value();
    }

    @Override
    public @Nullable Origin origin(String name) {
        return origin(name, registry.require(name).index().absent());
    }

    /** Returns the indexes that were written for any of {@code names}, in the order they first were. */
    public List<String> indexes(String... names) {
        SortedMap<Integer, String> byOrder = new TreeMap<>();
        for (String name : names) {
            settings(name).forEach((index, setting) -> byOrder.put(setting.order(), index));
        }
        return byOrder.values().stream().distinct().toList();
    }

    /** Returns the value written for {@code name[index]}; null for none. */
    public @Nullable PolicyValue value(String name, String index) {
        Setting setting = settings(name).get(index);
        return setting == null ? null : setting.value();
    }

    /** Returns where {@code name[index]} was written; null for nowhere. */
    public @Nullable Origin origin(String name, String index) {
        Setting setting = settings(name).get(index);
        return setting == null ? null : setting.origin();
    }

    private Map<String, Setting> settings(String name) {
        registry.require(name);
        return plain.getOrDefault(name, Map.of());
    }

    // --- objects ----------------------------------------------------------------------------------------------------

    /** Returns the objects of {@code parameter} that were written, DEFAULT apart, in the order written. */
    public List<ObjectSettings> objects(String parameter) {
        registry.require(parameter);
        return objects.getOrDefault(parameter, Map.of()).values().stream()
                .filter(object -> !object.id().equals(IndexRule.DEFAULT_INDEX))
                .toList();
    }

    /** Returns the object of {@code parameter} with {@code id}; its DEFAULT when nothing was written for it. */
    public ObjectSettings object(String parameter, String id) {
        Map<String, ObjectSettings> byId = objects.getOrDefault(parameter, Map.of());
        ObjectSettings found = byId.containsKey(id) ? byId.get(id) : byId.get(IndexRule.DEFAULT_INDEX);
        if (found != null) {
            return found;
        }
        ObjectSettings empty = new ObjectSettings(registry.require(parameter), id, null);
        empty.resolve();
        return empty;
    }

    // --- diagnosis --------------------------------------------------------------------------------------------------

    /** Returns what was found, in the order of the text. */
    public List<PolicyProblem> problems() {
        SortedMap<Origin, Integer> order = new TreeMap<>();
        lines.forEach(line -> order.put(line.origin(), order.size()));
        return problems.stream()
                .sorted(Comparator.comparing(problem -> order.getOrDefault(problem.origin(), order.size())))
                .toList();
    }

    /** Adds what was found when the values were put to use. */
    public void report(PolicyProblem.Kind kind, Origin origin, String parameter, String message) {
        problems.add(new PolicyProblem(kind, origin, parameter, message));
    }

    /** Returns the lines as they were taken apart, in the order of the text. */
    public List<PolicyLine> lines() {
        return lines;
    }

    /** Returns what became of each line, in the order of the text. */
    public List<LineVerdict> verdicts() {
        SortedMap<Origin, List<PolicyProblem>> byOrigin = new TreeMap<>();
        problems.forEach(problem -> byOrigin.computeIfAbsent(problem.origin(), origin -> new ArrayList<>())
                .add(problem));
        return lines.stream()
                .map(line -> LineVerdict.of(line, byOrigin.getOrDefault(line.origin(), List.of())))
                .toList();
    }

    /** Returns every value in force, in the order of the register. */
    public List<Effective> effective() {
        List<Effective> effective = new ArrayList<>();
        for (Parameter parameter : registry.parameters()) {
            if (parameter.isObject()) {
                objects.getOrDefault(parameter.name(), Map.of())
                        .values()
                        .forEach(object -> list(parameter, object, effective));
            } else {
                list(parameter, effective);
            }
        }
        if (problems.isEmpty()) {
            return effective;
        }
        Map<String, List<PolicyProblem>> byParameter = problems.stream()
                .filter(PolicyProblem::leavesOut)
                .collect(Collectors.groupingBy(PolicyProblem::parameter, TreeMap::new, Collectors.toList()));
        return effective.stream()
                .map(value -> withProblems(value, byParameter.getOrDefault(value.parameter(), List.of())))
                .toList();
    }

    /** Adds to the note of a value why it is not in force after all: it may not go together with another. */
    private static Effective withProblems(Effective value, List<PolicyProblem> ofParameter) {
        List<String> notes = ofParameter.stream()
                .filter(problem -> problem.origin().equals(value.origin()))
                .map(PolicyProblem::message)
                .toList();
        String note = String.join("; ", notes);
        return notes.isEmpty()
                ? value
                : new Effective(
                        value.parameter(),
                        value.text(),
                        value.origin(),
                        value.note().isEmpty() ? note : value.note() + "; " + note);
    }

    /** Returns whether {@code other} has the same values in force, written ones and defaults told apart, in the same order. */
    public boolean says(PolicySettings other) {
        return values().equals(other.values());
    }

    private List<String> values() {
        return effective().stream()
                .map(value -> value.parameter() + "=" + value.text() + (value.origin() == null ? " by default" : ""))
                .toList();
    }

    private void list(Parameter parameter, List<Effective> effective) {
        Map<String, Setting> written = settings(parameter.name());
        boolean indexed = parameter.index() != IndexRule.NONE;
        String absent = parameter.index().absent();
        PolicyValue standard = standards.get(parameter.name());
        if (!written.containsKey(absent) && standard != null) {
            String name = indexed ? parameter.name() + "[" + absent + "]" : parameter.name();
            effective.add(new Effective(name, standard.text(), null, unimplementedNote(parameter, standard)));
        }
        written.forEach((index, setting) -> effective.add(new Effective(
                indexed ? parameter.name() + "[" + index + "]" : parameter.name(),
                setting.value().text(),
                setting.origin(),
                unimplementedNote(parameter, setting.value()))));
    }

    private static void list(Parameter parameter, ObjectSettings object, List<Effective> effective) {
        for (String name : object.writtenNames()) {
            PolicyValue value = object.value(name);
            effective.add(new Effective(
                    parameter.name() + "[" + object.id() + "] " + name,
                    value == null ? "" : value.text(),
                    object.origin(name),
                    unimplementedNote(parameter, name, value)));
        }
    }

    /** Returns that nothing acts on {@code parameter} yet, and why; empty where something does. */
    public String unimplementedNote(String parameter) {
        return unimplementedNote(registry.require(parameter), null);
    }

    private static String unimplementedNote(Parameter parameter, @Nullable PolicyValue value) {
        return parameter.effective()
                ? ofItems(parameter.name(), value)
                : UnimplementedParameters.NO_EFFECT + UnimplementedParameters.reason(parameter.name());
    }

    private static String unimplementedNote(Parameter parameter, String attribute, @Nullable PolicyValue value) {
        String name = parameter.name() + " " + attribute;
        boolean effective = parameter.attributes().stream()
                .filter(each -> each.name().equals(attribute))
                .allMatch(Attribute::effective);
        return effective
                ? ofItems(name, value)
                : UnimplementedParameters.NO_EFFECT + UnimplementedParameters.reason(name);
    }

    private static String ofItems(String name, @Nullable PolicyValue value) {
        return value == null
                ? ""
                : UnimplementedParameters.items(name, value).stream()
                        .map(item -> item + " " + UnimplementedParameters.NO_EFFECT
                                + UnimplementedParameters.reason(name, item))
                        .collect(Collectors.joining("; "));
    }

    // --- for the reader ---------------------------------------------------------------------------------------------

    ParameterRegistry register() {
        return registry;
    }

    void begin(List<PolicyLine> text) {
        lines = text;
    }

    void write(Parameter parameter, String index, PolicyValue value, Origin origin) {
        Map<String, Setting> byIndex = plain.computeIfAbsent(parameter.name(), name -> new LinkedHashMap<>());
        Setting before = byIndex.get(index);
        byIndex.put(index, new Setting(value, origin, before == null ? writings++ : before.order()));
    }

    /** Returns whether there are so many objects of {@code parameter} that none can be added for {@code id}. */
    boolean isFull(Parameter parameter, String id) {
        Map<String, ObjectSettings> byId = objects.getOrDefault(parameter.name(), Map.of());
        return byId.size() >= Limit.OBJECTS && !byId.containsKey(id);
    }

    /** Returns the object to write attributes to. */
    ObjectSettings open(Parameter parameter, String id) {
        Map<String, ObjectSettings> byId = objects.computeIfAbsent(parameter.name(), name -> new LinkedHashMap<>());
        ObjectSettings fallback = id.equals(IndexRule.DEFAULT_INDEX) ? null : byId.get(IndexRule.DEFAULT_INDEX);
        if (fallback == null && !id.equals(IndexRule.DEFAULT_INDEX)) {
            fallback = new ObjectSettings(parameter, IndexRule.DEFAULT_INDEX, null);
            byId.put(IndexRule.DEFAULT_INDEX, fallback);
        }
        ObjectSettings parent = fallback;
        return byId.computeIfAbsent(id, missing -> new ObjectSettings(parameter, id, parent));
    }

    /** Works out what depends on the whole text. */
    void end() {
        for (Map<String, ObjectSettings> byId : objects.values()) {
            ObjectSettings fallback = byId.get(IndexRule.DEFAULT_INDEX);
            if (fallback != null) {
                fallback.resolve();
            }
            byId.values().stream().filter(object -> object != fallback).forEach(ObjectSettings::resolve);
        }
    }

    static @Nullable PolicyValue standard(Attribute attribute) {
        String text = attribute.standard();
        return text == null ? null : standard(attribute.name(), attribute.type(), text);
    }

    private static PolicyValue standard(String name, ValueType type, String text) {
        try {
            return type.read(List.of(Token.of(text)), problem -> {
                throw new IllegalStateException("default of " + name + ": " + problem);
            });
        } catch (BadValueException e) {
            throw new IllegalStateException("default of " + name + ": " + e.reason(), e);
        }
    }
}
