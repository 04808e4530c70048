package io.weir.scheduler.core.reservation.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A request about reservations: who asks, about what, with which arguments. Arguments go by the long names below or by the
 * letter {@code mrsvctl} has for them; most may be repeated.
 *
 * @param principal who asks
 * @param level what he may do: 1 to 4 as in ADMINCFG, 5 for a plain user
 * @param objectId id, name or pattern of what is meant; a placeholder when something is made
 * @param arguments names and values in the order given
 */
public record Ask(String principal, int level, String objectId, List<Argument> arguments) {
    /** Level of somebody no ADMINCFG names. */
    public static final int PLAIN_USER = 5;

    /** Argument by which the API passes on the level of whoever asks. */
    public static final String LEVEL = "level";

    private static final Map<String, String> NAMES = names();

    public Ask {
        arguments = List.copyOf(arguments);
    }

    /** A name with a value. */
    public record Argument(String name, String value) {
        /** Returns the long name; null when it is none that is known. */
        @Nullable
        String longName() {
            return name.length() == 1
                    ? NAMES.get(name)
                    : NAMES.get(name.toLowerCase(java.util.Locale.ROOT).replace("-", ""));
        }
    }

    /** Returns an argument that nobody knows; null when all are known. */
    @Nullable
    String unknown() {
        for (Argument argument : arguments) {
            if (argument.longName() == null) {
                return argument.name();
            }
        }
        return null;
    }

    /** Returns the values given for the argument with the long name {@code name}. */
    List<String> all(String name) {
        List<String> values = new ArrayList<>();
        for (Argument argument : arguments) {
            if (name.equals(argument.longName())) {
                values.add(argument.value());
            }
        }
        return values;
    }

    /** Returns the last value given for an argument; null when it was not given. */
    @Nullable
    String last(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? null : values.get(values.size() - 1);
    }

    boolean has(String name) {
        return last(name) != null;
    }

    /** Returns the long names there are, sorted, for messages. */
    static String known() {
        SortedSet<String> known = new TreeSet<>(NAMES.values());
        known.remove(LEVEL);
        return String.join(", ", known);
    }

    private static Map<String, String> names() {
        Map<String, String> names = new TreeMap<>();
        String[][] known = {
            {"acl", "a"},
            {"subtype", "b"},
            {"duration", "d"},
            {"comment", "D", "description"},
            {"endtime", "e", "end"},
            {"exclusive", "E"},
            {"features", "f", "feature"},
            {"flags", "F", "flag"},
            {"group", "g", "rsvgroup"},
            {"hostexp", "h", "hosts", "hostlist"},
            {"label", "n", "name"},
            {"owner", "o"},
            {"partition", "p"},
            {"profile", "P"},
            {"resources", "R", "task"},
            {"starttime", "s", "start"},
            {"accountable", "S"},
            {"tasks", "t", "taskcount", "reqtaskcount"},
            {"trigger", "T"},
            {"variable", "V", "variables"},
            {"jobs", "x", "joblist"},
            {"priority"},
            {"message", "msg"},
            {LEVEL}
        };
        for (String[] all : known) {
            for (String name : all) {
                names.put(name, all[0]);
            }
        }
        return names;
    }
}
