package io.weir.scheduler.core.trigger;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One part of Sets or Unsets: {@code v} on success, {@code !v} on failure, {@code ^v} for all triggers. Immutable.
 *
 * @param name variable
 * @param onFailure whether it is about failures
 * @param exported whether it is a variable of the scheduler, for the triggers of all objects
 */
public record VariableChange(String name, boolean onFailure, boolean exported) {
    /** Characters of a name. */
    static final int LONGEST = 64;

    /** Reads changes separated by dots; null when one is none. */
    static @Nullable List<VariableChange> list(String text) {
        List<VariableChange> changes = new ArrayList<>();
        for (String part : text.split("\\.", -1)) {
            String name = part;
            boolean onFailure = false;
            boolean exported = false;
            while (name.startsWith("!") || name.startsWith("^")) {
                onFailure |= name.startsWith("!");
                exported |= name.startsWith("^");
                name = name.substring(1);
            }
            if (!isName(name)) {
                return null;
            }
            changes.add(new VariableChange(name, onFailure, exported));
        }
        return changes;
    }

    static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= LONGEST
                && text.chars().allMatch(c -> c == '_' || c == '-' || (c < 128 && Character.isLetterOrDigit(c)));
    }
}
