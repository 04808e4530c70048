package io.weir.scheduler.stream.waiting;

import java.time.Duration;
import java.time.Instant;

/**
 * A wait measured by this machine's clock, which may be set back while it lasts. How long it has lasted is unknown then, and
 * it counts as over: what follows from it, another question to the registry, say, does no harm when it comes early, whereas
 * a wait for the hour that the clock was set back by would stop a cluster.
 *
 * @param began when it began, by the clock of that moment
 */
public record WallWait(Instant began) {
    /** Says whether {@code length} has passed at {@code at}. */
    public boolean isOver(Duration length, Instant at) {
        return at.isBefore(began) || Duration.between(began, at).compareTo(length) >= 0;
    }
}
