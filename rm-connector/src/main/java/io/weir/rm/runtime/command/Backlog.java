package io.weir.rm.runtime.command;

import io.weir.schemas.RmCommand;
import java.util.List;

/**
 * The commands as an earlier process left them.
 *
 * @param lastFinished every command up to this number is answered; 0 for none
 * @param unanswered commands after it that have no result, by number; an earlier process may have carried them out
 * @param lastSeen greatest number among all commands; at least {@code lastFinished}
 */
public record Backlog(long lastFinished, List<RmCommand> unanswered, long lastSeen) {

    /** Nothing was ever ordered. */
    public static final Backlog EMPTY = new Backlog(0, List.of(), 0);

    public Backlog {
        unanswered = List.copyOf(unanswered);
    }
}
