package io.weir.rm.nativerm.text;

import java.util.Collection;
import java.util.function.BinaryOperator;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An attribute of nodes or jobs: its name, how its value is read, and what holds when it was not given. Immutable;
 * compared by identity.
 *
 * @param <T> type of its values, immutable
 */
public final class TextAttribute<T> {
    private final String name;
    private final Format<T> format;
    private final @Nullable T defaultValue;
    private final BinaryOperator<T> merge;
    private final ToIntFunction<T> size;
    private final Kind kind;

    /** What becomes of several values, and of more words than one. */
    private enum Kind {
        /** The last value holds. */
        SINGLE,
        /** The last value holds, and it is a list of words. */
        LIST,
        /** All values together hold. */
        GATHERING
    }

    /** Reads the value of one pair. */
    @FunctionalInterface
    interface Format<T> {
        /**
         * Returns what {@code value} means.
         *
         * @param index what stood in brackets after the name; empty when nothing did
         */
        T read(String index, Value value) throws MalformedValueException;
    }

    /** Reads a value whose attribute takes no index. */
    @FunctionalInterface
    interface Plain<T> {
        T read(Value value) throws MalformedValueException;
    }

    private TextAttribute(
            String name,
            Format<T> format,
            @Nullable T defaultValue,
            BinaryOperator<T> merge,
            ToIntFunction<T> size,
            Kind kind) {
        this.kind = kind;
        this.name = name;
        this.format = format;
        this.defaultValue = defaultValue;
        this.merge = merge;
        this.size = size;
    }

    /** Returns an attribute without a default, of which the last value given holds. */
    static <T> TextAttribute<T> of(String name, Plain<T> format) {
        return new TextAttribute<>(
                name, withoutIndex(format), null, (earlier, later) -> later, value -> 0, Kind.SINGLE);
    }

    /** Returns an attribute with a default, of which the last value given holds. */
    static <T> TextAttribute<T> of(String name, Plain<T> format, T defaultValue) {
        return new TextAttribute<>(
                name, withoutIndex(format), defaultValue, (earlier, later) -> later, value -> 0, Kind.SINGLE);
    }

    /** Returns an attribute with a default, of which the last list of words given holds. */
    static <T extends Collection<String>> TextAttribute<T> list(String name, Plain<T> format, T defaultValue) {
        return new TextAttribute<>(
                name, withoutIndex(format), defaultValue, (earlier, later) -> later, value -> 0, Kind.LIST);
    }

    /** Returns an attribute whose values add up, by {@code merge}, beginning with {@code none}; {@code size} counts them. */
    static <T> TextAttribute<T> gathering(
            String name, Format<T> format, T none, BinaryOperator<T> merge, ToIntFunction<T> size) {
        return new TextAttribute<>(name, format, none, merge, size, Kind.GATHERING);
    }

    private static <T> Format<T> withoutIndex(Plain<T> format) {
        return (index, value) -> {
            if (!index.isEmpty()) {
                throw new MalformedValueException("takes no [" + LineScanner.shortened(index) + "]");
            }
            return format.read(value);
        };
    }

    /** Returns the name, upper case. */
    public String name() {
        return name;
    }

    Format<T> format() {
        return format;
    }

    /** Says whether something holds where no value was given. */
    public boolean hasDefault() {
        return defaultValue != null;
    }

    @Nullable
    T defaultValue() {
        return defaultValue;
    }

    /** Says whether its value is a list of words. */
    boolean isList() {
        return kind == Kind.LIST;
    }

    /** Says whether its values add up. */
    public boolean isGathering() {
        return kind == Kind.GATHERING;
    }

    /** Says whether nothing can be added to {@code value}. */
    boolean isFull(T value) {
        return size.applyAsInt(value) >= Formats.MOST_GATHERED;
    }

    T merged(T earlier, T later) {
        return merge.apply(earlier, later);
    }

    @Override
    public String toString() {
        return name;
    }
}
