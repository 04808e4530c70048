package io.weir.scheduler.core.policy.language.value;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The known name a misspelt one was probably meant to be. */
public final class Suggestion {
    private Suggestion() {}

    /** Returns the name fewest edits away from {@code name}, when that is close enough to be a slip; ties: the first. */
    static @Nullable String nearest(String name, Collection<String> known) {
        String best = null;
        int fewest = Math.max(2, name.length() / 3) + 1;
        for (String candidate : known) {
            if (Math.abs(candidate.length() - name.length()) < fewest) {
                int edits = edits(name, candidate);
                if (edits < fewest && edits < name.length()) {
                    fewest = edits;
                    best = candidate;
                }
            }
        }
        return best;
    }

    /** Returns {@code name} as the end of a sentence, or nothing when no known name is near. */
    public static String didYouMean(String name, Collection<String> known) {
        String nearest = nearest(name, known);
        return nearest == null ? "" : "; did you mean " + nearest + "?";
    }

    /** Levenshtein distance. */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
