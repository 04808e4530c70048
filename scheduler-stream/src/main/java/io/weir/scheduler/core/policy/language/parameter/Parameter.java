package io.weir.scheduler.core.policy.language.parameter;

import io.weir.scheduler.core.policy.language.value.BadValueException;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.language.value.ValueType;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the register: a parameter with one value per index, or one whose value is an object with attributes.
 *
 * @param name official name, upper case
 * @param area what it belongs to, for the reference
 * @param index what may stand in brackets
 * @param type what it holds; null for an object
 * @param standard value when nothing is written; null for none
 * @param attributes of an object, in the order of the reference; empty for a plain value
 * @param effective something acts on it
 * @param doc one sentence for the reference
 */
public record Parameter(
        String name,
        String area,
        IndexRule index,
        @Nullable ValueType type,
        @Nullable String standard,
        List<Attribute> attributes,
        boolean effective,
        String doc) {
    public Parameter {
        attributes = List.copyOf(attributes);
    }

    /** Returns whether its value is an object with attributes. */
    public boolean isObject() {
        return type == null;
    }

    /**
     * Reads one word as a value of it.
     *
     * @throws BadValueException when it is not legal
     */
    public PolicyValue read(String text) throws BadValueException {
        ValueType form = type;
        if (form == null) {
            throw new BadValueException(name + " takes attributes");
        }
        return form.item(text);
    }

    /** Returns its attributes by name. */
    public SortedMap<String, Attribute> byName() {
        SortedMap<String, Attribute> byName = new TreeMap<>();
        attributes.forEach(attribute -> byName.put(attribute.name(), attribute));
        return byName;
    }
}
