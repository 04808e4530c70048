package io.weir.rm.simulated;

import java.util.Locale;

/** What the failure of a node does to the jobs that run on it. */
enum NodeFailureEffect {
    /** They run on with the node among theirs, until a command ends them or takes the node from them. */
    KEEP_JOBS,
    /** They end with the node. */
    END_JOBS;

    /** Returns the word of the settings for it. */
    String setting() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what {@link #setting} calls {@code word}. */
    static NodeFailureEffect of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
