package io.weir.scheduler.recorded;

import java.util.Locale;

/**
 * A short life of a site, of which a journal is kept. It ends with assertions that it really held what its name says. Living
 * it again gives the same records: whatever looks random comes from a seed.
 */
public interface Life {
    /** Lets the site live. */
    void live(Site site);

    /** Says whether the site follows the wall clock; otherwise it decides when a poll is complete, and only then. */
    default boolean hasWallClock() {
        return false;
    }

    /** Returns the name of its journal, made from that of its class. */
    default String name() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
