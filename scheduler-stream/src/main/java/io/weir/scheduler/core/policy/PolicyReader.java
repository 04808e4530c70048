package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.policy.PolicyProblem.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns configuration lines into a {@link SitePolicy}. One reader reads one text. */
final class PolicyReader {
    /** What a known parameter does with its line; a bad value is thrown as {@link BadValue}. */
    private interface Setting {
        void apply(PolicyLine line) throws BadValue;
    }

    /** A value that is not legal for its parameter. */
    private static final class BadValue extends Exception {
        private static final long serialVersionUID = 1L;

        BadValue(String message) {
            super(message, null, false, false);
        }
    }

    private final List<PolicyProblem> problems = new ArrayList<>();
    private final SortedMap<String, Setting> settings = new TreeMap<>();
    private final SortedMap<String, Integer> seen = new TreeMap<>();

    private int depth = ReservationGroup.DEFAULT.depth();
    private ReservationPolicy reservations = ReservationSettings.DEFAULT.policy();
    private BackfillPolicy backfill = BackfillSettings.DEFAULT.policy();
    private AllocationPolicyKind nodeOrder = AllocationChoice.DEFAULT.kind();
    private Mode mode = SchedulerSettings.DEFAULT.mode();
    private long purge = SchedulerSettings.DEFAULT.jobPurgeSeconds();
    private long retry = SchedulerSettings.DEFAULT.jobRetrySeconds();
    private long defer = SchedulerSettings.DEFAULT.deferSeconds();
    private int deferCount = SchedulerSettings.DEFAULT.deferStartCount();

    PolicyReader() {
        settings.put("RESERVATIONDEPTH", this::reservationDepth);
        settings.put("RESERVATIONPOLICY", line -> reservations = choice(ReservationPolicy.class, scalar(line)));
        settings.put("BACKFILLPOLICY", line -> backfill = choice(BackfillPolicy.class, scalar(line)));
        settings.put("NODEALLOCATIONPOLICY", line -> nodeOrder = choice(AllocationPolicyKind.class, scalar(line)));
        settings.put("SCHEDCFG", this::scheduler);
        settings.put("JOBCPURGETIME", line -> purge = PolicyTime.seconds(interval(line)));
        settings.put("JOBRETRYTIME", line -> retry = PolicyTime.seconds(interval(line)));
        settings.put("DEFERTIME", line -> defer = PolicyTime.seconds(interval(line)));
        settings.put("DEFERSTARTCOUNT", line -> deferCount = count(scalar(line)));
    }

    SitePolicy.Reading read(String text) {
        for (PolicyLine line : PolicyLine.parse(text)) {
            apply(line);
        }
        SitePolicy d = SitePolicy.DEFAULT;
        SitePolicy policy = new SitePolicy(
                new SchedulerSettings(
                        mode,
                        purge,
                        retry,
                        defer,
                        d.scheduler().deferCount(),
                        deferCount,
                        d.scheduler().randomSeed(),
                        d.scheduler().explainDepth()),
                d.availability(),
                new AllocationSettings(
                        AllocationChoice.of(nodeOrder),
                        d.allocation().access(),
                        false,
                        false,
                        d.allocation().distribution(),
                        List.of(),
                        d.allocation().plugins()),
                d.nodeSets(),
                new ReservationSettings(
                        reservations,
                        List.of(new ReservationGroup(
                                ReservationGroup.DEFAULT_NAME, depth, List.of(ReservationGroup.ALL), 0)),
                        ReallocationPolicy.NEVER,
                        false),
                new BackfillSettings(backfill, d.backfill().metric(), 0, 0, 0),
                d.priority(),
                d.fairshare(),
                d.nodes(),
                d.classes(),
                d.partitions(),
                d.qos(),
                d.users(),
                d.groups(),
                d.accounts(),
                d.standing(),
                d.profiles(),
                d.admins());
        return new SitePolicy.Reading(policy, problems);
    }

    private void apply(PolicyLine line) {
        String name = line.name().toUpperCase(Locale.ROOT).equals("RESDEPTH")
                ? alias(line, "RESERVATIONDEPTH")
                : line.name().toUpperCase(Locale.ROOT);
        Setting setting = settings.get(name);
        if (setting == null) {
            String nearest = nearest(name);
            report(
                    Level.WARNING,
                    line,
                    "unknown parameter, ignored" + (nearest == null ? "" : "; did you mean " + nearest + "?"));
            return;
        }
        String object = name + "[" + (line.index() == null ? "" : line.index()) + "]";
        Integer before = seen.put(object, line.line());
        if (before != null && !name.endsWith("CFG")) {
            report(Level.WARNING, line, "set before on line " + before + "; this line wins");
        }
        try {
            setting.apply(line);
        } catch (BadValue e) {
            report(Level.ERROR, line, String.valueOf(e.getMessage()));
        }
    }

    private String alias(PolicyLine line, String now) {
        report(Level.WARNING, line, "old name, accepted; write " + now);
        return now;
    }

    private void reservationDepth(PolicyLine line) throws BadValue {
        String index = line.index();
        if (index != null && !index.equalsIgnoreCase("DEFAULT")) {
            throw new BadValue(
                    "reservation groups are not available; only RESERVATIONDEPTH and RESERVATIONDEPTH[DEFAULT]"
                            + " are, which cover every job");
        }
        String value = single(line);
        depth = value.equalsIgnoreCase("INFINITY") || value.equalsIgnoreCase("UNLIMITED")
                ? SitePolicy.UNLIMITED
                : count(value);
    }

    private void scheduler(PolicyLine line) throws BadValue {
        for (String attribute : line.values()) {
            int equals = attribute.indexOf('=');
            String name = equals < 0 ? attribute : attribute.substring(0, equals);
            if (equals < 0 || !name.equalsIgnoreCase("MODE")) {
                report(Level.WARNING, line, "unknown attribute " + attribute + ", ignored; known: MODE=NORMAL|MONITOR");
            } else {
                mode = choice(Mode.class, attribute.substring(equals + 1));
            }
        }
    }

    private static String scalar(PolicyLine line) throws BadValue {
        if (line.index() != null) {
            throw new BadValue("takes no index; write " + line.name() + " " + String.join(" ", line.values()));
        }
        return single(line);
    }

    private static String interval(PolicyLine line) throws BadValue {
        String value = scalar(line);
        if (PolicyTime.seconds(value) < 0) {
            throw new BadValue("'" + value + "' is not a time; write [[[DD:]HH:]MM:]SS");
        }
        return value;
    }

    private static String single(PolicyLine line) throws BadValue {
        if (line.values().size() != 1) {
            throw new BadValue("takes one value, found " + line.values().size());
        }
        return line.values().get(0);
    }

    private static int count(String value) throws BadValue {
        try {
            int count = Integer.parseInt(value);
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a negative number.
        }
        throw new BadValue("'" + value + "' is not a number from 0 to " + Integer.MAX_VALUE);
    }

    private static <E extends Enum<E>> E choice(Class<E> type, String value) throws BadValue {
        List<String> names = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(value)) {
                return constant;
            }
            names.add(constant.name());
        }
        throw new BadValue("'" + value + "' is not available; one of " + String.join(", ", names));
    }

    private void report(Level level, PolicyLine line, String message) {
        problems.add(new PolicyProblem(level, line.line(), line.parameter(), message));
    }

    /** Returns the known name fewest edits away from {@code name}, when that is close enough to be a slip. */
    private @Nullable String nearest(String name) {
        String best = null;
        int fewest = Math.max(2, name.length() / 3) + 1;
        for (String known : settings.keySet()) {
            int edits = edits(name, known);
            if (edits < fewest) {
                fewest = edits;
                best = known;
            }
        }
        return best;
    }

    /** Levenshtein distance. */
    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
