package io.weir.scheduler.core.request.form;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An argument that a kind of request may have.
 *
 * @param name its name in the normal form, in lower case
 * @param aliases other names for it; one of a single letter is told from its capital
 * @param words the closed set its value is from, in lower case; empty where any text is a value
 * @param repeatable whether it may be given more than once; its values keep their order
 */
public record ArgumentForm(String name, List<String> aliases, List<String> words, boolean repeatable) {
    /** Returns an argument with any text as its value. */
    static ArgumentForm text(String name, String... aliases) {
        return new ArgumentForm(name, List.of(aliases), List.of(), false);
    }

    /** Returns an argument that may be given more than once. */
    static ArgumentForm texts(String name, String... aliases) {
        return new ArgumentForm(name, List.of(aliases), List.of(), true);
    }

    /** Returns an argument whose values are the constants of {@code words}. */
    static ArgumentForm of(String name, Class<? extends Enum<?>> words) {
        List<String> names = new ArrayList<>();
        for (Enum<?> word : words.getEnumConstants()) {
            names.add(word.name().toLowerCase(Locale.ROOT));
        }
        return new ArgumentForm(name, List.of(), names, false);
    }

    /** Returns whether {@code given}, a name with ASCII capitals made small unless it is a single letter, means this argument. */
    boolean isCalled(String given) {
        return name.equals(given) || aliases.contains(given);
    }

    /** Returns a value in its normal form; null when it is not from the closed set. */
    @Nullable
    String normal(String value) {
        if (words.isEmpty()) {
            return value;
        }
        String word = lower(value);
        return words.contains(word) ? word : null;
    }

    /** Makes ASCII capitals small. A text with other letters stays as it is, so that none of them folds into ASCII. */
    static String lower(String text) {
        return text.chars().allMatch(letter -> letter < 0x80) ? text.toLowerCase(Locale.ROOT) : text;
    }
}
