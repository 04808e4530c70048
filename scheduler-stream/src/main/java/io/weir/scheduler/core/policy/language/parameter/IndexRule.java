package io.weir.scheduler.core.policy.language.parameter;

/** What may stand in a parameter's brackets, and what their absence means. */
public enum IndexRule {
    /** Nothing, or 0. */
    NONE("", ""),
    /** A number or name; without it, 0. */
    ZERO("[n]", "0"),
    /** A number or name; without it, DEFAULT: what holds for all that are not named. */
    DEFAULT("[x]", "DEFAULT"),
    /** A name, which has to be there. */
    NAME("[name]", ""),
    /** A number from 1 to 4; without it, 1. */
    LEVEL("[1..4]", "1");

    /** Index of the object whose values hold for all that are not named. */
    public static final String DEFAULT_INDEX = "DEFAULT";

    private final String shown;
    private final String absent;

    IndexRule(String shown, String absent) {
        this.shown = shown;
        this.absent = absent;
    }

    /** Returns how it is written after a parameter's name. */
    public String shown() {
        return shown;
    }

    /** Returns the index meant when none is written. */
    public String absent() {
        return absent;
    }
}
