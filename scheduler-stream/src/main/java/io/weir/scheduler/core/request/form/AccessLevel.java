package io.weir.scheduler.core.request.form;

import java.util.Locale;
import java.util.Optional;

/** What a principal may do, from most to least; the numbers are those of ADMINCFG. */
public enum AccessLevel {
    /** Level 1: everything, the configuration included. */
    ADMINISTRATOR("1", 1),
    /** Level 2: other people's jobs, nodes, reservations without accountable credentials. */
    OPERATOR("2", 2),
    /** Level 3: may read everything. */
    AUDITOR("3", 3),
    /** Level 4: cancels and holds other people's jobs. */
    HELP_DESK("4", 4),
    /** Own jobs only. */
    USER("user", 5);

    private final String label;
    private final int number;

    AccessLevel(String label, int number) {
        this.label = label;
        this.number = number;
    }

    /** Returns 1 to 4, or {@code user}. */
    public String label() {
        return label;
    }

    /** Returns 1 to 4, or 5 for a user. */
    public int number() {
        return number;
    }

    /** Says whether this level is at least as high as {@code other}. */
    public boolean reaches(AccessLevel other) {
        return compareTo(other) <= 0;
    }

    /** Returns the level that counts for changes: level 3 stands above 4 and only reads. */
    public AccessLevel acting() {
        return this == AUDITOR ? USER : this;
    }

    /** Returns the level with {@code label}; empty when there is none. */
    public static Optional<AccessLevel> of(String label) {
        for (AccessLevel level : values()) {
            if (level.label.equals(label.toLowerCase(Locale.ROOT))) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    /** Returns the level with {@code number}; empty when there is none. */
    public static Optional<AccessLevel> of(int number) {
        for (AccessLevel level : values()) {
            if (level.number == number) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
