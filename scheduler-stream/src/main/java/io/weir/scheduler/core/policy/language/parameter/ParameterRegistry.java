package io.weir.scheduler.core.policy.language.parameter;

import io.weir.scheduler.core.policy.language.value.ValueType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything the configuration language knows: parameters, their attributes, types, defaults and older names. It is data:
 * reading, diagnosis and the reference page are made from it. Immutable after the class is loaded.
 */
public final class ParameterRegistry {
    private static final ParameterRegistry REGISTER = new ParameterRegistry();

    private final Map<String, Parameter> parameters = new LinkedHashMap<>();
    private final Map<String, Alias> aliases = new LinkedHashMap<>();
    private String area = "";

    private ParameterRegistry() {
        SchedulerEntries.define(this);
        NodeEntries.define(this);
        AllocationEntries.define(this);
        ReservationEntries.define(this);
        PriorityEntries.define(this);
        CredentialEntries.define(this);
        FailureEntries.define(this);
        EventEntries.define(this);
        ResourceManagerEntries.define(this);
    }

    /** Returns the register. */
    public static ParameterRegistry get() {
        return REGISTER;
    }

    /** Returns all parameters in the order of the reference. */
    public Collection<Parameter> parameters() {
        return List.copyOf(parameters.values());
    }

    /** Returns all other names. */
    public Collection<Alias> aliases() {
        return List.copyOf(aliases.values());
    }

    /** Returns the parameter called {@code name} in any case; null for none. */
    public @Nullable Parameter find(String name) {
        return parameters.get(name.toUpperCase(Locale.ROOT));
    }

    /** Returns the parameter called {@code name}. */
    public Parameter require(String name) {
        Parameter found = find(name);
        if (found == null) {
            throw new IllegalArgumentException("no parameter " + name + " in the register");
        }
        return found;
    }

    @Nullable
    public Alias alias(String name) {
        return aliases.get(name.toUpperCase(Locale.ROOT));
    }

    /** Returns every name a line may begin with. */
    public Set<String> names() {
        return parameters.keySet();
    }

    /** Returns the names of the parameters that have the attribute {@code name}, in the order of the reference. */
    public List<String> withAttribute(String name) {
        return parameters.values().stream()
                .filter(parameter -> parameter.byName().containsKey(name.toUpperCase(Locale.ROOT)))
                .map(Parameter::name)
                .toList();
    }

    // What follows is for the classes that define the entries.

    void area(String name) {
        area = name;
    }

    void plain(String name, ValueType type, @Nullable String standard, String doc) {
        put(new Parameter(name, area, IndexRule.NONE, type, standard, List.of(), true, doc));
    }

    void indexed(String name, IndexRule index, ValueType type, @Nullable String standard, String doc) {
        put(new Parameter(name, area, index, type, standard, List.of(), true, doc));
    }

    /** A plain parameter that is kept, but that nothing acts on yet. */
    void pending(String name, ValueType type, @Nullable String standard, String doc) {
        put(new Parameter(name, area, IndexRule.NONE, type, standard, List.of(), false, doc));
    }

    void object(String name, IndexRule index, String doc, Attributes attributes) {
        put(new Parameter(name, area, index, null, null, attributes.list, true, doc));
    }

    public void alias(String name, String parameter) {
        put(new Alias(name, parameter, null, null, false));
    }

    void deprecated(String name, String parameter) {
        put(new Alias(name, parameter, null, null, true));
    }

    void deprecated(String name, String parameter, @Nullable String index, String attribute) {
        put(new Alias(name, parameter, index, attribute, true));
    }

    private void put(Parameter defined) {
        Parameter parameter = new Parameter(
                defined.name(),
                defined.area(),
                defined.index(),
                defined.type(),
                defined.standard(),
                defined.attributes().stream()
                        .map(attribute -> UnimplementedParameters.holds(defined.name(), attribute.name())
                                ? attribute.unimplemented()
                                : attribute)
                        .toList(),
                defined.effective() && !UnimplementedParameters.holds(defined.name()),
                defined.doc());
        if (parameters.put(parameter.name(), parameter) != null) {
            throw new IllegalStateException(parameter.name() + " is defined twice");
        }
    }

    private void put(Alias alias) {
        if (aliases.put(alias.name(), alias) != null) {
            throw new IllegalStateException(alias.name() + " is defined twice");
        }
    }

    /** The attributes of one object, as they are being listed. */
    static final class Attributes {
        private final List<Attribute> list = new ArrayList<>();

        Attributes with(String name, ValueType type, @Nullable String standard, String doc) {
            list.add(new Attribute(name, type, standard, false, true, null, doc));
            return this;
        }

        Attributes with(String name, ValueType type, String doc) {
            return with(name, type, null, doc);
        }

        Attributes repeatable(String name, ValueType type, String doc) {
            list.add(new Attribute(name, type.list(), null, true, true, null, doc));
            return this;
        }

        /** An attribute that is kept, but that nothing acts on yet. */
        Attributes pending(String name, ValueType type, @Nullable String standard, String doc) {
            list.add(new Attribute(name, type, standard, false, false, null, doc));
            return this;
        }

        Attributes pending(String name, ValueType type, String doc) {
            return pending(name, type, null, doc);
        }

        /** An attribute that {@code reader} acts on, not the scheduler. */
        Attributes elsewhere(String reader, String name, ValueType type, @Nullable String standard, String doc) {
            list.add(new Attribute(name, type, standard, false, true, reader, doc));
            return this;
        }

        Attributes trigger() {
            list.add(new Attribute(
                    "TRIGGER", ValueType.verbatim("trigger"), null, true, true, null, "A trigger; repeatable."));
            return this;
        }
    }
}
