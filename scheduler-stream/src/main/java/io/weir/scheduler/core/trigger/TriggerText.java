package io.weir.scheduler.core.trigger;

import com.google.re2j.Pattern;
import io.weir.scheduler.core.policy.language.value.EventName;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads triggers: {@code ATTR=VALUE[,ATTR=VALUE…]}, values with commas in double quotes, between which a backslash takes a
 * quote or a backslash as it stands. A text that cannot be read, or that says something nobody knows, makes no trigger; the
 * message names value, place and what would do.
 */
public final class TriggerText {
    /** Characters of the text of a trigger. */
    public static final int LONGEST = 4_096;

    /** Variables that one trigger may set, take away or require, each. */
    static final int MOST_VARIABLES = 32;

    private static final List<String> FLAGS = List.of(
            "attacherror", "checkpoint", "cleanup", "globalvars", "interval", "multifire", "objectxmlstdin", "user");

    private static final Pattern USER_NAME = Pattern.compile("[a-z_][a-z0-9_-]{0,31}");

    /** A trigger that was read, or what is wrong with it. */
    public record Reading(
            @Nullable TriggerSpec spec, @Nullable String problem) {}

    /** What is wrong with a text. */
    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String message) {
            super(message, null, false, false);
        }
    }

    private final SortedMap<String, String> values = new TreeMap<>();

    private TriggerText() {}

    /** Reads {@code text}. */
    public static Reading read(String text) {
        try {
            TriggerText reader = new TriggerText();
            reader.split(text);
            return new Reading(reader.spec(), null);
        } catch (Unreadable e) {
            return new Reading(null, e.getMessage());
        }
    }

    /** Says why {@code text} is no trigger that the owner of a job may give it; null when it is one. */
    public static @Nullable String ofOwner(String text) {
        Reading reading = read(text);
        TriggerSpec spec = reading.spec();
        String misfit = spec == null ? reading.problem() : spec.misfit("job");
        return spec == null || misfit != null ? misfit : spec.beyondOwner();
    }

    private void split(String text) throws Unreadable {
        if (text.length() > LONGEST) {
            throw new Unreadable("a trigger has " + text.length() + " characters; at most " + LONGEST + " are allowed");
        }
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            if (quoted && c == '\\' && isEscaped(text, i + 1)) {
                i++;
                part.append(text.charAt(i));
            } else if (c == '"' && i < text.length()) {
                quoted = !quoted;
            } else if ((c == ',' || c == '&') && (!quoted || i == text.length())) {
                attribute(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        if (quoted) {
            throw new Unreadable("a quotation mark is not closed");
        }
    }

    private static boolean isEscaped(String text, int at) {
        return at < text.length() && (text.charAt(at) == '"' || text.charAt(at) == '\\');
    }

    private void attribute(String part) throws Unreadable {
        if (part.isBlank()) {
            return;
        }
        int equals = part.indexOf('=');
        if (equals < 1) {
            throw new Unreadable("'" + part + "' is no ATTR=VALUE");
        }
        String name = part.substring(0, equals).strip().toLowerCase(Locale.ROOT);
        if (values.put(name, part.substring(equals + 1)) != null) {
            throw new Unreadable(name + " is stated twice");
        }
    }

    private TriggerSpec spec() throws Unreadable {
        String type = required("etype");
        int colon = type.indexOf(':');
        TriggerEvent event = word(TriggerEvent.values(), "EType", colon < 0 ? type : type.substring(0, colon));
        String generic = colon < 0 ? "" : EventName.of(type.substring(colon + 1));
        if ((event == TriggerEvent.GEVENT) == generic.isEmpty()) {
            throw new Unreadable(
                    "EType is '" + type + "'; gevent needs the name of an event, gevent:NAME, others none");
        }
        TriggerActionKind kind = word(TriggerActionKind.values(), "AType", required("atype"));
        String action = kind == TriggerActionKind.CANCEL ? taken("action", "") : required("action");
        List<String> flags = flags();
        String thresholdText = taken("threshold", "");
        TriggerThreshold threshold = thresholdText.isEmpty() ? null : TriggerThreshold.of(thresholdText);
        if ((event == TriggerEvent.THRESHOLD) != (threshold != null)) {
            throw new Unreadable("Threshold is '" + thresholdText
                    + "'; EType threshold needs METRIC[NAME]OPNUMBER, as in gmetric[temp]>34, and others none");
        }
        long offset = offset(taken("offset", "0"), event);
        long failOffset = seconds("failoffset");
        if (event == TriggerEvent.THRESHOLD) {
            failOffset = failOffset == 0 ? offset : failOffset;
            offset = 0;
        }
        boolean rearms = values.containsKey("rearmtime");
        long rearm = seconds("rearmtime");
        boolean interval = flag("interval") || flags.contains("interval");
        boolean multiFire = flag("multifire") || flags.contains("multifire");
        String periodText = taken("period", "");
        TriggerPeriod period = periodText.isEmpty() ? null : word(TriggerPeriod.values(), "Period", periodText);
        if ((event == TriggerEvent.STANDING || event == TriggerEvent.EPOCH) != (period != null)) {
            throw new Unreadable("Period goes with EType standing and epoch, which need it");
        }
        TriggerSpec spec = new TriggerSpec(
                taken("name", ""),
                taken("description", ""),
                event,
                generic,
                kind,
                action,
                offset,
                failOffset,
                threshold,
                rearm,
                rearms || interval || multiFire || period != null,
                interval,
                period,
                listed("requires", VariableCondition.list(taken("requires", "x"))),
                listed("sets", VariableChange.list(taken("sets", "x"))),
                listed("unsets", VariableChange.list(taken("unsets", "x"))),
                timeout(),
                seconds("blocktime"),
                (int) Math.min(TriggerSpec.MOST_RETRIES, number("maxretry", 0)),
                cancelOnFailure(),
                number("expiretime", Long.MAX_VALUE),
                environment(),
                flags);
        values.remove("rearmtime");
        if (!values.isEmpty()) {
            throw new Unreadable("'" + values.firstKey() + "' is no attribute of a trigger");
        }
        return spec;
    }

    private String required(String name) throws Unreadable {
        String value = values.remove(name);
        if (value == null || value.isEmpty()) {
            throw new Unreadable("a trigger needs EType, AType and Action; " + name + " is missing");
        }
        return value;
    }

    private String taken(String name, String standard) {
        String value = values.remove(name);
        if (value != null) {
            present.add(name);
        }
        return value == null ? standard : value;
    }

    /** Names that were written. */
    private final List<String> present = new ArrayList<>();

    private <T> List<T> listed(String name, @Nullable List<T> items) throws Unreadable {
        if (!present.contains(name)) {
            return List.of();
        }
        if (items == null || items.size() > MOST_VARIABLES) {
            throw new Unreadable(name + " is no list of up to " + MOST_VARIABLES
                    + " variables separated by dots, as in a.!b; a name has letters, digits, _ and -");
        }
        return items;
    }

    private static <E extends Enum<E>> E word(E[] words, String attribute, String text) throws Unreadable {
        for (E word : words) {
            if (word.name().equals(text.strip().toUpperCase(Locale.ROOT))) {
                return word;
            }
        }
        List<String> legal = new ArrayList<>();
        for (E word : words) {
            legal.add(word.name().toLowerCase(Locale.ROOT));
        }
        throw new Unreadable(attribute + " is '" + text + "'; one of " + String.join(", ", legal) + " is needed");
    }

    private static long offset(String text, TriggerEvent event) throws Unreadable {
        boolean before = text.startsWith("-");
        long seconds = PolicyTime.seconds(before ? text.substring(1) : text);
        if (seconds < 0 || (before && event != TriggerEvent.START && event != TriggerEvent.END)) {
            throw new Unreadable(
                    "Offset is '" + text + "'; [[[DD:]HH:]MM:]SS is needed, with - in front for start and end only");
        }
        return before ? -seconds : seconds;
    }

    private long seconds(String name) throws Unreadable {
        String text = values.remove(name);
        long seconds = text == null ? 0 : PolicyTime.seconds(text);
        if (seconds < 0) {
            throw new Unreadable(name + " is '" + text + "'; [[[DD:]HH:]MM:]SS is needed");
        }
        return seconds;
    }

    private long timeout() throws Unreadable {
        String text = taken("timeout", "0");
        long seconds = PolicyTime.seconds(text.startsWith("+") || text.startsWith("-") ? text.substring(1) : text);
        if (seconds < 0) {
            throw new Unreadable("timeout is '" + text + "'; [[[DD:]HH:]MM:]SS is needed");
        }
        return seconds;
    }

    private long number(String name, long standard) throws Unreadable {
        String text = values.remove(name);
        if (text == null) {
            return standard;
        }
        if (text.isEmpty() || text.length() > 12 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new Unreadable(name + " is '" + text + "'; a whole number is needed");
        }
        return Long.parseLong(text);
    }

    private boolean flag(String name) throws Unreadable {
        String text = taken(name, "false");
        if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw new Unreadable(name + " is '" + text + "'; TRUE or FALSE is needed");
        }
        return text.equalsIgnoreCase("true");
    }

    private boolean cancelOnFailure() throws Unreadable {
        String text = taken("failurepolicy", "none").strip();
        if (!text.equalsIgnoreCase("none") && !text.equalsIgnoreCase("cancel")) {
            throw new Unreadable("failurepolicy is '" + text + "'; none or cancel is needed");
        }
        return text.equalsIgnoreCase("cancel");
    }

    private List<String> flags() throws Unreadable {
        List<String> flags = new ArrayList<>();
        int users = 0;
        for (String written : taken("flags", "").split("[.:;]", -1)) {
            String flag = written.toLowerCase(Locale.ROOT);
            boolean named = flag.startsWith(TriggerSpec.AS_USER);
            if (!named && !flag.isEmpty() && !FLAGS.contains(flag)) {
                throw new Unreadable("flag '" + flag + "' is none; " + String.join(", ", FLAGS) + " are");
            }
            users += named || flag.equals(TriggerSpec.AS_OWNER) ? 1 : 0;
            if (!flag.isEmpty()) {
                flags.add(named ? asUser(written) : flag);
            }
        }
        if (users > 1) {
            throw new Unreadable("flag user is stated more than once; a program is run as one user");
        }
        return flags;
    }

    /** A name is not to become another one: it is taken as it stands, or not at all. */
    private static String asUser(String written) throws Unreadable {
        String name = written.substring(TriggerSpec.AS_USER.length());
        if (!USER_NAME.matcher(name).matches()) {
            throw new Unreadable(
                    "flag '" + written + "' names no user; user+NAME is needed, NAME of up to 32 lower-case"
                            + " letters, digits, _ and -, the first a letter or _");
        }
        return TriggerSpec.AS_USER + name;
    }

    private List<NameValue> environment() throws Unreadable {
        List<NameValue> environment = new ArrayList<>();
        for (String entry : taken("env", "").split(";", -1)) {
            int equals = entry.indexOf('=');
            if (entry.isEmpty()) {
                continue;
            }
            if (equals < 1 || environment.size() == 64) {
                throw new Unreadable("env has '" + entry + "'; up to 64 entries NAME=VALUE separated by ; are allowed");
            }
            environment.add(new NameValue(entry.substring(0, equals), entry.substring(equals + 1)));
        }
        return environment;
    }
}
