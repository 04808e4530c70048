package io.weir.scheduler.core.trigger;

import java.util.Locale;

/** What a trigger does (AType). */
public enum TriggerActionKind {
    /** The notifier sends a mail. */
    MAIL(true),
    /** The notifier runs a program. */
    EXEC(true),
    /** The notifier calls a web service. */
    HTTP(true),
    /** The notifier sends a trap. */
    SNMP(true),
    /** The notifier changes a database. */
    DBUPDATE(true),
    /** The notifier publishes an event for others. */
    EVENT(true),
    /** The scheduler does something to an object. */
    INTERNAL(false),
    /** The scheduler changes its configuration. */
    CHANGEPARAM(false),
    /** The scheduler cancels the object. */
    CANCEL(false),
    /** The jobs on the object give way. */
    JOBPREEMPT(false),
    /** The scheduler does something to the jobs on the object. */
    JOBACTION(false);

    private final boolean external;

    TriggerActionKind(boolean external) {
        this.external = external;
    }

    /** Returns whether the notifier carries it out. */
    public boolean external() {
        return external;
    }

    /** Returns how it is written. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
