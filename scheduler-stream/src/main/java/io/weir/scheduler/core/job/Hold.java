package io.weir.scheduler.core.job;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who keeps a job in the queue. A job may be held by several at once. */
public enum Hold {
    /** Its owner, or somebody for him; the owner may release it. */
    USER,
    /** An administrator. */
    SYSTEM,
    /** The scheduler, because the job cannot run as it is; an administrator releases it. */
    BATCH;

    /** Returns the hold called {@code text}, in any case; null when there is none of that name. */
    public static @Nullable Hold of(String text) {
        for (Hold hold : values()) {
            if (hold.name().equals(text.toUpperCase(Locale.ROOT))) {
                return hold;
            }
        }
        return null;
    }

    /** Returns the name as it is written in sentences. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> names(Set<Hold> holds) {
        List<String> names = new ArrayList<>(holds.size());
        holds.forEach(hold -> names.add(hold.name()));
        return names;
    }

    /** Reads what {@link #names} wrote; a job held before there were kinds is held by its user. */
    static EnumSet<Hold> read(List<String> names, boolean held) {
        EnumSet<Hold> holds = EnumSet.noneOf(Hold.class);
        names.forEach(name -> holds.add(Hold.valueOf(name)));
        if (held && holds.isEmpty()) {
            holds.add(USER);
        }
        return holds;
    }
}
