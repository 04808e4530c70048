package io.weir.rm.nativerm.text;

import io.weir.schemas.JobState;
import io.weir.schemas.NodeState;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The forms that values take. */
final class Formats {
    /** Metrics, events or variables of one object: more of them no report may have. */
    static final int MOST_GATHERED = Math.min(Limit.METRICS, Limit.VARIABLES);

    /** Slots of a class without a number: as many as the node has processors. */
    static final int NO_LIMIT = Integer.MAX_VALUE;

    private static final Set<String> NO_TIME_LIMIT = Set.of("0", "-1", "INFINITY", "UNLIMITED");

    /** The longest limit a report can tell. */
    private static final Duration LONGEST = Duration.ofSeconds(Limit.SECONDS);

    /** The last second that a report can tell. */
    private static final long LATEST_SECOND = Bound.Moment.END.getEpochSecond() - 1;

    /** The last second of the year 9999, by which some say never. */
    private static final long NEVER = 253_402_300_799L;

    private static final Map<String, Boolean> FLAGS = Map.of(
            "TRUE", true, "T", true, "YES", true, "ON", true, "1", true, "FALSE", false, "F", false, "NO", false, "OFF",
            false, "0", false);

    private static final Map<String, NodeState> NODE_STATES = Map.ofEntries(
            Map.entry("IDLE", NodeState.IDLE),
            Map.entry("RUNNING", NodeState.RUNNING),
            Map.entry("ACTIVE", NodeState.RUNNING),
            Map.entry("BUSY", NodeState.BUSY),
            Map.entry("DRAINING", NodeState.DRAINING),
            Map.entry("DRAINED", NodeState.DRAINED),
            Map.entry("DRAIN", NodeState.DRAINED),
            Map.entry("OFFLINE", NodeState.DRAINED),
            Map.entry("DOWN", NodeState.DOWN),
            Map.entry("UNKNOWN", NodeState.UNKNOWN));

    private static final Map<String, JobState> JOB_STATES = Map.ofEntries(
            Map.entry("IDLE", JobState.IDLE),
            Map.entry("HOLD", JobState.HOLD),
            // It has its nodes, and the scheduler knows by itself what it is starting.
            Map.entry("STARTING", JobState.RUNNING),
            Map.entry("RUNNING", JobState.RUNNING),
            Map.entry("SUSPENDED", JobState.SUSPENDED),
            Map.entry("COMPLETED", JobState.COMPLETED),
            Map.entry("CANCELLED", JobState.CANCELLED),
            Map.entry("CANCELED", JobState.CANCELLED),
            Map.entry("REMOVED", JobState.CANCELLED),
            Map.entry("FAILED", JobState.FAILED));

    private static final String FAIL = "FAIL";

    private Formats() {}

    static String text(Value value) {
        return value.text();
    }

    static TextAttribute.Plain<Integer> integer(int least, int most) {
        return value -> (int) whole(value.text(), least, most);
    }

    static TextAttribute.Plain<Double> decimal(double least, double most) {
        return value -> decimal(value.text(), least, most);
    }

    private static double decimal(String text, double least, double most) throws MalformedValueException {
        double number;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new MalformedValueException("is not a number");
        }
        // NaN is neither.
        if (!(number >= least && number <= most)) {
            throw new MalformedValueException("is not a number from " + least + " to " + most);
        }
        return number;
    }

    private static long whole(String text, long least, long most) throws MalformedValueException {
        long number;
        try {
            number = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new MalformedValueException("is not a whole number");
        }
        if (number < least || number > most) {
            throw new MalformedValueException("is not between " + least + " and " + most);
        }
        return number;
    }

    /** Reads an amount in MB; K, M, G and T after it change the unit, K rounds up. */
    static Long megabytes(Value value) throws MalformedValueException {
        String text = value.text();
        char unit = Character.toUpperCase(text.charAt(text.length() - 1));
        long factor = switch (unit) {
            case 'G' -> 1L << 10;
            case 'T' -> 1L << 20;
            default -> 1L;
        };
        String digits = "KMGT".indexOf(unit) < 0 ? text : text.substring(0, text.length() - 1);
        long amount = whole(digits, 0, Long.MAX_VALUE >> 21) * factor;
        long megabytes = unit == 'K' ? (amount + 1023) / 1024 : amount;
        if (megabytes > Limit.AMOUNT) {
            throw new MalformedValueException("is more than " + Limit.AMOUNT + " MB");
        }
        return megabytes;
    }

    /** Reads seconds since 1970. */
    static Instant instant(Value value) throws MalformedValueException {
        return instant(value.text());
    }

    private static Instant instant(String text) throws MalformedValueException {
        return Instant.ofEpochSecond(whole(text, 0, LATEST_SECOND));
    }

    /** Reads the earliest time of something; one that no schedule reaches is as good as the last that is reached. */
    static Instant earliest(Value value) throws MalformedValueException {
        return Instant.ofEpochSecond(Math.min(whole(value.text(), 0, NEVER), LATEST_SECOND));
    }

    /** Reads a time limit of a second or more; 0, -1, INFINITY and UNLIMITED are none, which is a hundred years. */
    static Duration limit(Value value) throws MalformedValueException {
        if (NO_TIME_LIMIT.contains(value.text().toUpperCase(Locale.ROOT))) {
            return LONGEST;
        }
        Duration limit = duration(value);
        if (limit.compareTo(LONGEST) > 0) {
            throw new MalformedValueException("is longer than a hundred years; 0 or INFINITY is no limit");
        }
        return limit.isZero() ? LONGEST : limit;
    }

    /** Reads {@code [[[DD:]HH:]MM:]SS}; plain seconds are the usual form. */
    static Duration duration(Value value) throws MalformedValueException {
        long[] units = {1, 60, 3_600, 86_400};
        List<Value> fields = value.split(":");
        if (fields.size() > units.length) {
            throw new MalformedValueException("is not [[[DD:]HH:]MM:]SS");
        }
        long seconds = 0;
        for (int i = 0; i < fields.size(); i++) {
            seconds += whole(fields.get(i).text(), 0, LONGEST.toSeconds()) * units[fields.size() - 1 - i];
        }
        return Duration.ofSeconds(seconds);
    }

    static Boolean flag(Value value) throws MalformedValueException {
        return choice(FLAGS, value.text(), "yes or no");
    }

    static Boolean power(Value value) throws MalformedValueException {
        return choice(Map.of("ON", true, "OFF", false), value.text(), "On or Off");
    }

    static JobState jobState(Value value) throws MalformedValueException {
        return choice(JOB_STATES, value.text(), "a state of a job");
    }

    /** Reads {@code State}, {@code Fail}, {@code State+Fail}, each with {@code :reason} after it or not. */
    static ReportedNodeState nodeState(Value value) throws MalformedValueException {
        int colon = value.indexOf(':');
        String states = colon < 0 ? value.text() : value.text().substring(0, colon);
        String reason = colon < 0 ? "" : value.text().substring(colon + 1);
        @Nullable NodeState state = null;
        boolean failing = false;
        for (Value word : Value.plain(states).split("+")) {
            if (word.text().equalsIgnoreCase(FAIL)) {
                failing = true;
            } else if (state == null) {
                state = choice(NODE_STATES, word.text(), "a state of a node");
            } else {
                throw new MalformedValueException("is more than one state");
            }
        }
        return new ReportedNodeState(
                state == null ? NodeState.UNKNOWN : state, failing, reason.isEmpty() ? null : reason);
    }

    static AmountComparison comparison(Value value) throws MalformedValueException {
        for (AmountComparison comparison : AmountComparison.values()) {
            if (comparison.sign().equals(value.text())) {
                return comparison;
            }
        }
        throw new MalformedValueException("is none of < <= == >= >");
    }

    private static <T> T choice(Map<String, T> choices, String text, String what) throws MalformedValueException {
        @Nullable T choice = choices.get(text.toUpperCase(Locale.ROOT));
        if (choice == null) {
            throw new MalformedValueException("is not " + what);
        }
        return choice;
    }

    /**
     * Reads a list of words between any of {@code separators}, empty ones left out.
     *
     * @param most words that there may be
     */
    static TextAttribute.Plain<List<String>> list(String separators, int most) {
        return value -> words(value, separators, most);
    }

    private static List<String> words(Value value, String separators, int most) throws MalformedValueException {
        List<String> words = new ArrayList<>();
        for (Value part : value.split(separators)) {
            if (!part.isEmpty()) {
                words.add(name(part.text()));
            }
        }
        checkEntries(words.size(), most);
        return List.copyOf(words);
    }

    private static void checkEntries(int entries, int most) throws MalformedValueException {
        if (entries > most) {
            throw new MalformedValueException("has " + entries + " entries; at most " + most + " are allowed");
        }
    }

    private static String name(String text) throws MalformedValueException {
        if (text.length() > Limit.NAME_LENGTH) {
            throw new MalformedValueException(
                    "has a name of " + text.length() + " characters; at most " + Limit.NAME_LENGTH + " are allowed");
        }
        return text;
    }

    /** Reads the name of something that others refer to. */
    static String name(Value value) throws MalformedValueException {
        return name(value.text());
    }

    /** Reads {@code a:b}, {@code a,b} or {@code [a][b]} as a set in the order given. */
    static TextAttribute.Plain<Set<String>> names(String separators) {
        return value -> Collections.unmodifiableSet(new LinkedHashSet<>(words(value, separators, Limit.WORDS)));
    }

    /** Reads {@code [class:slots][class:slots]}, or one bare class; without a number there is no limit. */
    static SortedMap<String, Integer> classes(Value value) throws MalformedValueException {
        SortedMap<String, Integer> classes = new TreeMap<>();
        if (value.indexOf('[') < 0) {
            addClass(classes, value);
        } else {
            Value rest = value;
            while (!rest.isEmpty()) {
                int close = rest.indexOf(']');
                if (rest.indexOf('[') != 0 || close < 0) {
                    throw new MalformedValueException("is not [class:number][class:number]");
                }
                addClass(classes, rest.part(1, close));
                rest = rest.part(close + 1, rest.text().length());
            }
        }
        checkEntries(classes.size(), Limit.WORDS);
        return Collections.unmodifiableSortedMap(classes);
    }

    private static void addClass(Map<String, Integer> classes, Value item) throws MalformedValueException {
        int colon = item.indexOf(':');
        String name = colon < 0 ? item.text() : item.text().substring(0, colon);
        if (name.isEmpty()) {
            throw new MalformedValueException("has a class without a name");
        }
        classes.put(
                name(name), colon < 0 ? NO_LIMIT : (int) whole(item.text().substring(colon + 1), 0, Integer.MAX_VALUE));
    }

    /** Reads {@code name:count,name:count} or {@code name,count:name,count}; without a number the count is 1. */
    static SortedMap<String, Integer> counts(Value value) throws MalformedValueException {
        @Nullable SortedMap<String, Integer> counts = counts(value, ",", ':', true);
        if (counts == null) {
            counts = counts(value, ":", ',', false);
        }
        if (counts == null) {
            throw new MalformedValueException("is not name:count,name:count");
        }
        checkEntries(counts.size(), Limit.WORDS);
        for (String name : counts.keySet()) {
            name(name);
        }
        return Collections.unmodifiableSortedMap(counts);
    }

    /** Reads a list of one of the two forms; null if it is not of that form. */
    private static @Nullable SortedMap<String, Integer> counts(Value value, String between, char within, boolean bare) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        for (Value item : value.split(between)) {
            int mark = item.indexOf(within);
            String name = mark < 0 ? item.text() : item.text().substring(0, mark);
            if (name.isEmpty() || isDigit(name.charAt(0)) || (mark < 0 && !bare)) {
                return null;
            }
            try {
                counts.put(name, mark < 0 ? 1 : (int) whole(item.text().substring(mark + 1), 0, Integer.MAX_VALUE));
            } catch (MalformedValueException e) {
                return null;
            }
        }
        return counts;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Reads {@code name} or {@code name=value}; the value of a bare name is empty. */
    static SortedMap<String, String> variable(String index, Value value) throws MalformedValueException {
        int mark = value.indexOf('=');
        String name = mark < 0 ? value.text() : value.text().substring(0, mark);
        if (!index.isEmpty() || name.isEmpty()) {
            throw new MalformedValueException("is not name=value");
        }
        return single(name(name), mark < 0 ? "" : value.text().substring(mark + 1));
    }

    static SortedMap<String, Double> metric(String index, Value value) throws MalformedValueException {
        return single(required(index), decimal(value.text(), -Limit.MEASURED, Limit.MEASURED));
    }

    static List<GenericEventMark> event(String index, Value value) throws MalformedValueException {
        int colon = required(index).indexOf(':');
        return colon < 0
                ? List.of(new GenericEventMark(index, null, value.text()))
                : List.of(new GenericEventMark(
                        required(index.substring(0, colon)), instant(index.substring(colon + 1)), value.text()));
    }

    private static String required(String name) throws MalformedValueException {
        if (name.isEmpty()) {
            throw new MalformedValueException("wants a name in brackets after the attribute");
        }
        return name(name);
    }

    /** Reads {@code KEY:value;KEY:value}, keys made upper case; a key alone has an empty value. */
    static SortedMap<String, String> extensions(String text) {
        SortedMap<String, String> extensions = new TreeMap<>();
        for (String item : text.split(";", -1)) {
            int colon = item.indexOf(':');
            String key = (colon < 0 ? item : item.substring(0, colon)).strip().toUpperCase(Locale.ROOT);
            if (!key.isEmpty()) {
                extensions.put(key, colon < 0 ? "" : item.substring(colon + 1).strip());
            }
        }
        return Collections.unmodifiableSortedMap(extensions);
    }

    /** Joins two maps; of equal keys the later wins. What is beyond {@link #MOST_GATHERED} is left out. */
    static <V> SortedMap<String, V> joined(SortedMap<String, V> earlier, SortedMap<String, V> later) {
        SortedMap<String, V> joined = new TreeMap<>(earlier);
        later.forEach((name, value) -> {
            if (joined.size() < MOST_GATHERED || joined.containsKey(name)) {
                joined.put(name, value);
            }
        });
        return Collections.unmodifiableSortedMap(joined);
    }

    /**
     * Joins two lists of events; of the same name and time the later wins. What is beyond {@link #MOST_GATHERED} is left out.
     */
    static List<GenericEventMark> joined(List<GenericEventMark> earlier, List<GenericEventMark> later) {
        List<GenericEventMark> joined = new ArrayList<>(earlier);
        joined.removeIf(old -> later.stream()
                .anyMatch(mark -> mark.name().equals(old.name()) && Objects.equals(mark.time(), old.time())));
        joined.addAll(later);
        return List.copyOf(joined.subList(0, Math.min(MOST_GATHERED, joined.size())));
    }

    private static <V> SortedMap<String, V> single(String name, V value) {
        SortedMap<String, V> single = new TreeMap<>();
        single.put(name, value);
        return Collections.unmodifiableSortedMap(single);
    }
}
