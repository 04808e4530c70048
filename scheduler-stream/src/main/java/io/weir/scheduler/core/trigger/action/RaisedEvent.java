package io.weir.scheduler.core.trigger.action;

import com.google.re2j.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * AType event: {@code name [text]}. Immutable.
 *
 * @param name name of an event or of a topic
 * @param text what is said with it, variables as written; null for none
 */
public record RaisedEvent(String name, @Nullable String text) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:<>=-]{1,249}");

    /** Reads {@code action}. */
    public static RaisedEvent read(String action) throws UnfitActionException {
        String[] parts = action.strip().split(" ", 2);
        if (!NAME.matcher(parts[0]).matches()) {
            throw new UnfitActionException("event is '" + action
                    + "'; the name of an event or topic is needed, and a text if there is one; variables may be in"
                    + " the text alone");
        }
        return new RaisedEvent(parts[0], parts.length > 1 ? parts[1] : null);
    }
}
