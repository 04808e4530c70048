package io.weir.scheduler.core.event;

import java.util.Locale;

/**
 * What is done on an event: a word of {@code GEVENTCFG[name] ACTION} with its argument. Immutable.
 *
 * @param kind what
 * @param argument what stands behind the colon; empty for nothing
 */
public record EventAction(Kind kind, String argument) {

    /** The actions there are, by the names they are written with. */
    public enum Kind {
        /** People are told. */
        NOTIFY,
        /** A line goes to those who read all events. */
        RECORD,
        /** A program is run. */
        EXECUTE,
        /** The object takes no work until the event is over. */
        DISABLE,
        /** The node is expected to fail, until it is resumed. */
        FAILING,
        /** The node is reserved. */
        RESERVE,
        /** The node is switched off. */
        OFF,
        /** The node is switched on. */
        ON,
        /** The node is restarted. */
        RESET,
        /** The jobs on the object give way. */
        PREEMPT,
        /** The jobs on the object get a signal. */
        SIGNAL,
        /** The text is attached to the object. */
        OBJECTMESSAGE
    }

    /** Reads an action as the configuration holds it, whose name was checked before. */
    static EventAction of(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        return new EventAction(Kind.valueOf(name.toUpperCase(Locale.ROOT)), colon < 0 ? "" : text.substring(colon + 1));
    }
}
