package io.weir.scheduler.core.policy.language;

import io.weir.scheduler.core.policy.language.parameter.Alias;
import io.weir.scheduler.core.policy.language.parameter.Attribute;
import io.weir.scheduler.core.policy.language.parameter.IndexRule;
import io.weir.scheduler.core.policy.language.parameter.Parameter;
import io.weir.scheduler.core.policy.language.parameter.ParameterRegistry;
import io.weir.scheduler.core.policy.language.value.Token;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a line of the configuration writes. Immutable.
 *
 * @param parameter official name of the parameter
 * @param index its index, or that which is meant without one
 * @param attributes official names of the attributes written; empty for a parameter that is no object
 * @param whole whether the line alone says what is in force there, whatever lines before it say
 */
record LineTarget(String parameter, String index, SortedSet<String> attributes, boolean whole) {
    LineTarget {
        attributes = Collections.unmodifiableSortedSet(new TreeSet<>(attributes));
    }

    /** Returns what {@code text} writes; null for what is not one line about a known parameter. */
    static @Nullable LineTarget of(String text) {
        List<PolicyLine> lines = PolicyLine.parse(text);
        if (lines.size() != 1) {
            return null;
        }
        PolicyLine line = lines.get(0);
        Alias alias = ParameterRegistry.get().alias(line.name());
        Parameter parameter = ParameterRegistry.get().find(alias == null ? line.name() : alias.parameter());
        if (parameter == null) {
            return null;
        }
        String index = index(parameter, alias == null || alias.index() == null ? line.index() : alias.index());
        if (!parameter.isObject()) {
            return new LineTarget(parameter.name(), index, Collections.emptySortedSet(), true);
        }
        SortedSet<String> attributes = new TreeSet<>();
        boolean whole = true;
        if (alias != null && alias.attribute() != null) {
            attributes.add(alias.attribute());
        } else {
            for (Token token : line.words()) {
                String name = name(token.text());
                Attribute attribute = parameter.byName().get(name);
                whole &= attribute != null
                        && !attribute.repeatable()
                        && token.text().startsWith("=", name.length());
                attributes.add(name);
            }
        }
        return new LineTarget(parameter.name(), index, attributes, whole);
    }

    private static String index(Parameter parameter, @Nullable String written) {
        if (written == null || (parameter.index() == IndexRule.NONE && written.equals("0"))) {
            return parameter.index().absent();
        }
        return written.equalsIgnoreCase(IndexRule.DEFAULT_INDEX) ? IndexRule.DEFAULT_INDEX : written;
    }

    /** Returns the attribute that a word writes, which may be added to or taken from. */
    private static String name(String word) {
        int equals = word.indexOf('=');
        boolean changes = equals > 0 && (word.charAt(equals - 1) == '+' || word.charAt(equals - 1) == '-');
        return word.substring(0, Math.max(0, changes ? equals - 1 : equals)).toUpperCase(Locale.ROOT);
    }

    /** Returns whether both are about the same parameter or object. */
    boolean meets(LineTarget other) {
        return parameter.equals(other.parameter) && index.equals(other.index);
    }

    /** Returns whether a line about {@code other} means nothing any more when one about this comes behind it. */
    boolean covers(LineTarget other) {
        return whole && meets(other) && attributes.containsAll(other.attributes);
    }
}
