package io.weir.scheduler.core.policy.nonstop;

import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.value.Token;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of {@code nonstop.conf} within a configuration, and reports what is wrong with them. What the service
 * cannot do without, or cannot make sense of, leaves no settings at all. One reader reads one text.
 */
public final class NonstopReader {
    private static final int DEFAULT_PORT = 6820;
    private static final int DEFAULT_TIMEOUT_MILLIS = 10_000;
    private static final int MOST_TIMEOUT_MILLIS = 3_600_000;

    /** Most minutes of TimeLimitDelay, TimeLimitExtend and TimeLimitDrop. */
    public static final int MOST_MINUTES = 65_533;

    private static final int MOST_USERS = 1_000;

    private static final String KEEPS = "; the failure service keeps what it had, or stays off";

    private final PolicySettings settings;
    private final SortedMap<String, Integer> spares = new TreeMap<>();
    private final List<String> allow = new ArrayList<>();
    private final List<String> deny = new ArrayList<>();

    /** Where UserDrainDeny stands. */
    private @Nullable Origin denied;

    private @Nullable String controlAddress;
    private @Nullable String backupAddress;
    private int port = DEFAULT_PORT;
    private int debug;
    private int mostSpares;
    private int delay;
    private int extend;
    private int drop;
    private int readTimeout = DEFAULT_TIMEOUT_MILLIS;
    private int writeTimeout = DEFAULT_TIMEOUT_MILLIS;
    private boolean fatal;

    public NonstopReader(PolicySettings settings) {
        this.settings = settings;
    }

    /** Returns what the file says; null when the service is off, or the file refuses it. */
    public @Nullable NonstopSettings read() {
        if (!enabled(settings)) {
            return null;
        }
        Origin last = settings.origin("FAILURESERVICE");
        Origin origin = last == null ? new Origin("", 1) : last;
        boolean found = false;
        for (PolicyLine line : settings.lines()) {
            if (NonstopText.holds(line.origin())) {
                found = true;
                read(line);
            }
        }
        if (!found) {
            settings.report(
                    Kind.DOUBTFUL,
                    origin,
                    NonstopText.FILE,
                    "is not there or empty" + KEEPS + " until it states ControlAddr");
            return null;
        }
        if (controlAddress == null) {
            fatal(new Origin(NonstopText.FILE, 1), "ControlAddr", "is missing");
        }
        if (denied != null && !deny.isEmpty() && !allow.isEmpty() && !allow.contains(DrainAccess.ALL)) {
            fatal(denied, "UserDrainDeny", "cannot stand beside UserDrainAllow with names; give one of the two");
        }
        if (fatal || controlAddress == null) {
            return null;
        }
        List<String> allowed = deny.isEmpty() ? allow : List.of(DrainAccess.ALL);
        return new NonstopSettings(
                controlAddress,
                backupAddress,
                port,
                debug,
                spares,
                mostSpares,
                delay,
                extend,
                drop,
                new DrainAccess(allowed, deny),
                readTimeout,
                writeTimeout);
    }

    /** Returns whether {@code settings} ask for the service. */
    public static boolean enabled(PolicySettings settings) {
        return "nonstop".equalsIgnoreCase(settings.text("FAILURESERVICE"));
    }

    private void read(PolicyLine line) {
        String value = String.join(" ", line.words().stream().map(Token::text).toList());
        switch (line.name().toLowerCase(Locale.ROOT)) {
            case "controladdr" -> controlAddress = host(line, value, controlAddress);
            case "backupaddr" -> backupAddress = host(line, value, backupAddress);
            case "port" -> port = number(line, value, 1, 65_535, port);
            case "debug" -> debug = number(line, value, 0, 1_000, debug);
            case "hotsparecount" -> spares(line, value);
            case "maxsparenodecount", "maxsparenodescount" ->
                mostSpares = number(line, value, 0, Limit.NODES, mostSpares);
            case "timelimitdelay" -> delay = number(line, value, 0, MOST_MINUTES, delay);
            case "timelimitextend" -> extend = number(line, value, 0, MOST_MINUTES, extend);
            case "timelimitdrop" -> drop = number(line, value, 0, MOST_MINUTES, drop);
            case "userdrainallow" -> users(line, value, allow);
            case "userdraindeny" -> {
                denied = line.origin();
                users(line, value, deny);
            }
            case "readtimeout" -> readTimeout = number(line, value, 1, MOST_TIMEOUT_MILLIS, readTimeout);
            case "writetimeout" -> writeTimeout = number(line, value, 1, MOST_TIMEOUT_MILLIS, writeTimeout);
            default -> fatal(line.origin(), line.name(), "is no parameter of " + NonstopText.FILE);
        }
    }

    private @Nullable String host(PolicyLine line, String value, @Nullable String before) {
        boolean legal = !value.isEmpty()
                && value.length() <= Limit.NAME_LENGTH
                && value.chars().allMatch(c -> c > ' ' && c < 0x7f && "/?#@\"'\\<>".indexOf(c) < 0);
        if (!legal) {
            bad(line, "'" + value + "' is no host name or address");
        }
        return legal ? value : before;
    }

    private int number(PolicyLine line, String value, int least, int most, int before) {
        boolean digits =
                !value.isEmpty() && value.length() <= 9 && value.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = digits ? Integer.parseInt(value) : -1;
        if (number < least || number > most) {
            fatal(
                    line.origin(),
                    line.name(),
                    "is '" + value + "'; a number from " + least + " to " + most + " is needed");
            return before;
        }
        return number;
    }

    private void spares(PolicyLine line, String value) {
        for (String entry : value.replace(" ", "").split(",", -1)) {
            int colon = entry.lastIndexOf(':');
            String count = entry.substring(colon + 1);
            boolean digits =
                    count.length() <= 6 && !count.isEmpty() && count.chars().allMatch(c -> c >= '0' && c <= '9');
            if (entry.isEmpty()) {
                continue;
            }
            if (colon <= 0 || !digits || colon > Limit.NAME_LENGTH || Integer.parseInt(count) > Limit.NODES) {
                bad(line, "'" + entry + "' is ignored; PARTITION:COUNT is needed");
            } else if (Integer.parseInt(count) == 0 || spares.containsKey(entry.substring(0, colon))) {
                settings.report(
                        Kind.NO_EFFECT,
                        line.origin(),
                        line.name(),
                        "'" + entry + "' is ignored, as its count is 0 or the partition was named before");
            } else if (spares.size() < Limit.WORDS) {
                spares.put(entry.substring(0, colon), Integer.parseInt(count));
            } else {
                bad(line, "names more than " + Limit.WORDS + " partitions; '" + entry + "' and the rest are ignored");
                return;
            }
        }
    }

    private void users(PolicyLine line, String value, List<String> into) {
        for (String word : value.replace(' ', ',').split(",", -1)) {
            String user = word.equalsIgnoreCase(DrainAccess.ALL) ? DrainAccess.ALL : word;
            if (user.length() > Limit.NAME_LENGTH || into.size() >= MOST_USERS) {
                bad(
                        line,
                        "has a name of more than " + Limit.NAME_LENGTH + " characters, or more than " + MOST_USERS
                                + " of them; the rest is ignored");
                return;
            }
            if (!user.isEmpty() && !into.contains(user)) {
                into.add(user);
            }
        }
    }

    private void bad(PolicyLine line, String message) {
        settings.report(Kind.BAD_VALUE, line.origin(), line.name(), message);
    }

    private void fatal(Origin origin, String parameter, String message) {
        fatal = true;
        settings.report(Kind.BAD_VALUE, origin, parameter, message + KEEPS);
    }
}
