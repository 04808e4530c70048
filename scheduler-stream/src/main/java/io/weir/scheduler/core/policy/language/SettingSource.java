package io.weir.scheduler.core.policy.language;

import io.weir.scheduler.core.policy.language.value.PolicyValue;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values by name, with their defaults filled in: the parameters of a configuration, or the attributes of an object. */
public interface SettingSource {
    /** Returns the value of {@code name}: what is written, else its default; null for neither. */
    @Nullable
    PolicyValue value(String name);

    /** Returns where the value of {@code name} was written; null when it is a default or missing. */
    @Nullable
    Origin origin(String name);

    /** Returns whether {@code name} was written. */
    default boolean isSet(String name) {
        return origin(name) != null;
    }

    /** Returns a boolean. */
    default boolean flag(String name) {
        if (value(name) instanceof PolicyValue.Flag flag) {
            return flag.on();
        }
        throw missing(name);
    }

    /** Returns a whole number or the megabytes of an amount. */
    default long whole(String name) {
        if (value(name) instanceof PolicyValue.Whole whole) {
            return whole.number();
        }
        throw missing(name);
    }

    /** Returns a whole number of at most {@link Integer#MAX_VALUE}, which also stands for no limit. */
    default int count(String name) {
        return (int) Math.min(Integer.MAX_VALUE, whole(name));
    }

    /** Returns a number with a fraction. */
    default double decimal(String name) {
        if (value(name) instanceof PolicyValue.Decimal decimal) {
            return decimal.number();
        }
        throw missing(name);
    }

    /** Returns an interval in seconds; {@link PolicyValue.Interval#INFINITE} for ever, -1 for never. */
    default long seconds(String name) {
        if (value(name) instanceof PolicyValue.Interval interval) {
            return interval.seconds();
        }
        throw missing(name);
    }

    /** Returns an interval in seconds; {@code fallback} when there is neither a value nor a default. */
    default long seconds(String name, long fallback) {
        return value(name) == null ? fallback : seconds(name);
    }

    /** Returns a text; null when there is neither a value nor a default. */
    default @Nullable String text(String name) {
        PolicyValue value = value(name);
        return value == null ? null : value.text();
    }

    /** Returns the items of a list; empty when there is neither a value nor a default. */
    default List<String> items(String name) {
        return value(name) instanceof PolicyValue.Items items ? items.items() : List.of();
    }

    /** Returns the constant of {@code type} that has the name written; null when there is neither value nor default. */
    default <E extends Enum<E>> @Nullable E choice(String name, Class<E> type) {
        String text = text(name);
        return text == null ? null : Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    }

    /** Returns the constant of {@code type} that has the name written or the default's. */
    default <E extends Enum<E>> E requiredChoice(String name, Class<E> type) {
        E constant = choice(name, type);
        if (constant == null) {
            throw missing(name);
        }
        return constant;
    }

    private IllegalArgumentException missing(String name) {
        return new IllegalArgumentException(name + " is " + value(name) + "; it has no value of that type");
    }
}
