package io.weir.rm.nativerm.text;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The attributes that one kind of object has, by name; names are compared without case. Immutable. */
public final class Vocabulary {
    private static final int FARTHEST_GUESS = 2;

    private final Map<String, TextAttribute<?>> attributes = new TreeMap<>();

    Vocabulary(TextAttribute<?>... attributes) {
        for (TextAttribute<?> attribute : attributes) {
            this.attributes.put(attribute.name(), attribute);
        }
    }

    /** Adds another name for {@code attribute}. */
    Vocabulary alias(String name, TextAttribute<?> attribute) {
        attributes.put(name, attribute);
        return this;
    }

    /** Returns all names, aliases included. */
    public Set<String> names() {
        return attributes.keySet();
    }

    @Nullable
    TextAttribute<?> find(String name) {
        return attributes.get(name.toUpperCase(Locale.ROOT));
    }

    /** Returns the known name most like {@code name}; null when none is near. */
    @Nullable
    String closest(String name) {
        String wanted = name.toUpperCase(Locale.ROOT);
        @Nullable String best = null;
        int bestDistance = Math.min(FARTHEST_GUESS, name.length() / 3) + 1;
        for (String known : attributes.keySet()) {
            int distance = distance(wanted, known);
            if (distance < bestDistance) {
                best = known;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** Returns how many letters have to be put in, taken out or changed to make {@code b} of {@code a}. */
    private static int distance(String a, String b) {
        if (Math.abs(a.length() - b.length()) > FARTHEST_GUESS) {
            return FARTHEST_GUESS + 1;
        }
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
