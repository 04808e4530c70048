package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.scheduler.ChargeSettings;
import io.weir.scheduler.core.policy.scheduler.Funds;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads AMCFG, and reports what of it has no effect. */
final class ChargeReader {
    private static final String PARAMETER = "AMCFG";
    private static final String SERVER = "SERVER";
    private static final String FALLBACK = "FALLBACKACCOUNT";
    private static final String DEFER = "DEFERJOBONFAILURE";

    /** What one entry says for all. */
    private static final List<String> COMMON =
            List.of("CHARGEPOLICY", "FLUSHINTERVAL", "REFUNDPOLICY", FALLBACK, DEFER, "TIMEOUT");

    private static final long DAY_SECONDS = 86_400;
    private static final long LONGEST_TIMEOUT = 600;
    private static final long SHORTEST_FLUSH = 60;

    private final PolicySettings settings;

    ChargeReader(PolicySettings settings) {
        this.settings = settings;
    }

    /** The first allocation manager says how things are charged; all of them are told. */
    ChargeSettings read() {
        ChargeSettings charging = ChargeSettings.OFF;
        ObjectSettings first = null;
        for (ObjectSettings manager : settings.objects(PARAMETER)) {
            if (first == null) {
                first = manager;
                charging = read(manager);
            } else {
                reportIgnored(first, manager);
            }
        }
        return charging;
    }

    private ChargeSettings read(ObjectSettings manager) {
        long flush = flushSeconds(manager);
        return new ChargeSettings(
                true,
                manager.requiredChoice("CHARGEPOLICY", ChargeSettings.ChargePolicy.class),
                flush,
                manager.isOwn("FLUSHINTERVAL") ? flush : 0,
                "SYSTEMFAILURE".equals(manager.text("REFUNDPOLICY")),
                funds(manager));
    }

    private Funds funds(ObjectSettings manager) {
        String fallback = manager.text(FALLBACK);
        boolean wanted = fallback != null || manager.flag(DEFER);
        boolean asked = isAsked(manager.text(SERVER));
        if (wanted && !asked) {
            for (String attribute : List.of(FALLBACK, DEFER)) {
                report(
                        manager,
                        attribute,
                        "has no effect: only an allocation manager whose SERVER is http:// or https:// is asked before a"
                                + " job starts; others take every charge");
            }
        }
        return new Funds(
                wanted && asked,
                fallback,
                manager.flag(DEFER),
                Math.max(1, Math.min(LONGEST_TIMEOUT, manager.seconds("TIMEOUT"))));
    }

    private static boolean isAsked(@Nullable String server) {
        String address = server == null ? "" : server.toLowerCase(Locale.ROOT);
        return address.startsWith("http://") || address.startsWith("https://");
    }

    private void reportIgnored(ObjectSettings first, ObjectSettings manager) {
        for (String attribute : COMMON) {
            report(
                    manager,
                    attribute,
                    "is ignored: all allocation managers are charged as the first one says, " + PARAMETER + "["
                            + first.id() + "]");
        }
    }

    private void report(ObjectSettings manager, String attribute, String message) {
        Origin origin = manager.isOwn(attribute) ? manager.origin(attribute) : null;
        if (origin != null) {
            settings.report(Kind.DOUBTFUL, origin, PARAMETER + "[" + manager.id() + "] " + attribute, message);
        }
    }

    private long flushSeconds(ObjectSettings manager) {
        String text = String.valueOf(manager.text("FLUSHINTERVAL"));
        return switch (text) {
            case "HOUR" -> 3_600;
            case "DAY" -> DAY_SECONDS;
            case "WEEK" -> 7 * DAY_SECONDS;
            case "MONTH" -> 30 * DAY_SECONDS;
            default ->
                manager.value("FLUSHINTERVAL") instanceof PolicyValue.Interval interval
                        ? flushSeconds(manager, interval.seconds())
                        : DAY_SECONDS;
        };
    }

    private long flushSeconds(ObjectSettings manager, long wanted) {
        if (wanted < SHORTEST_FLUSH) {
            report(manager, "FLUSHINTERVAL", "is shorter than " + SHORTEST_FLUSH + " s, which are taken instead");
        }
        return Math.max(SHORTEST_FLUSH, Math.min(PolicyTime.LONGEST, wanted));
    }
}
