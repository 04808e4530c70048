package io.weir.scheduler.core.event;

import static java.util.stream.Collectors.joining;

import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.language.value.SignalName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
        OBJECTMESSAGE;

        /** Returns all of them as they are written, between commas. */
        static String words() {
            return Arrays.stream(values()).map(Kind::name).collect(joining(", "));
        }
    }

    private static final String NODE = "node:";
    private static final Set<String> PEOPLE = Set.of("admin", "manager", "user");
    private static final Set<String> PREEMPTION = Set.of("REQUEUE", "SUSPEND", "CHECKPOINT", "CANCEL");

    /** Reads an action as the configuration holds it, whose name was checked before. */
    static EventAction of(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        return new EventAction(Kind.valueOf(name.toUpperCase(Locale.ROOT)), colon < 0 ? "" : text.substring(colon + 1));
    }

    /** Says what would do in the place of the argument; null when it will do. */
    @Nullable
    String problem() {
        return switch (kind) {
            case NOTIFY ->
                argument.isEmpty()
                                || PEOPLE.containsAll(List.of(
                                        argument.toLowerCase(Locale.ROOT).split("\\+", -1)))
                        ? null
                        : "admin, manager and user, with + between them,";
            case EXECUTE -> argument.startsWith("/") ? null : "the absolute path of a program";
            case DISABLE -> argument.isEmpty() || namedNode() != null ? null : "node:ID";
            case RESERVE -> argument.isEmpty() || PolicyTime.seconds(argument) > 0 ? null : "a time";
            case PREEMPT ->
                argument.isEmpty() || PREEMPTION.contains(argument.toUpperCase(Locale.ROOT))
                        ? null
                        : "REQUEUE, SUSPEND, CHECKPOINT or CANCEL";
            case SIGNAL ->
                argument.isEmpty() || SignalName.of(argument) != null
                        ? null
                        : "a signal, by name as in USR1 or by number up to 64,";
            case RECORD, FAILING, OFF, ON, RESET, OBJECTMESSAGE -> argument.isEmpty() ? null : "nothing";
        };
    }

    /** Returns the node that the argument of DISABLE names; null when that is the object of the event. */
    public @Nullable String namedNode() {
        return argument.length() > NODE.length() && argument.regionMatches(true, 0, NODE, 0, NODE.length())
                ? argument.substring(NODE.length())
                : null;
    }
}
