package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.policy.language.value.ValueType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values nearly or just about legal for a parameter: the words of its description and its default, each with marks of the
 * language doubled, left without what belongs to them, or in the wrong place.
 */
public final class ValueVariations {
    private static final List<String> USUAL = List.of("0", "7", "x", "1:00:00");

    private static final List<String> MARKS =
            List.of("*", "+", "-", "%", "$", ":", ",", ";", "|", "=", "&", "~", "!", "^", "[", "]", "<", ">", ".", "@");

    private ValueVariations() {}

    /** Returns the words that values of {@code type} are made of, as far as its description tells. */
    public static List<String> words(ValueType type, @Nullable String standard) {
        Set<String> words = new LinkedHashSet<>(USUAL);
        if (standard != null) {
            words.add(standard);
        }
        for (String word : type.description().split("[^A-Za-z0-9_:=*+%.-]+")) {
            if (!word.isEmpty() && word.equals(word.toUpperCase(Locale.ROOT))) {
                words.add(word);
                words.addAll(List.of(word.split("[:=]")));
            }
        }
        words.remove("");
        return List.copyOf(words);
    }

    /** Returns how a word and marks are put together; {@code W} is the word. */
    public static List<String> patterns() {
        Set<String> patterns = new LinkedHashSet<>(List.of("W", "WW", "'W W'", "' W '", "'W"));
        for (String mark : MARKS) {
            patterns.addAll(List.of(
                    mark, "W" + mark, "W" + mark + mark, mark + "W", mark + mark + "W", "W" + mark + "W", mark + mark));
            patterns.addAll(List.of(
                    "W" + mark + mark + "W", "W" + mark + "1", "W" + mark + ":W", "W" + mark + "W" + mark + "W"));
        }
        return List.copyOf(patterns);
    }
}
