package io.weir.scheduler.core.policy;

import io.weir.scheduler.core.bound.BadExpressionException;
import io.weir.scheduler.core.bound.Expression;
import io.weir.scheduler.core.policy.language.ObjectSettings;
import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyProblem.Kind;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.scheduler.core.policy.language.SettingSource;
import io.weir.scheduler.core.policy.language.value.BracketedNumbers;
import io.weir.scheduler.core.policy.language.value.CredentialName;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.language.value.PolicyValue;
import io.weir.scheduler.core.policy.reservation.ReallocationPolicy;
import io.weir.scheduler.core.policy.reservation.ReservedTasksPerNode;
import io.weir.scheduler.core.policy.reservation.StandingConfig;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads SRCFG and RSVPROFILE. A reservation that names a profile has from it what it does not say itself. */
final class ReservationObjects {
    private static final String[][] ACL_LISTS = {
        {"USERLIST", "USER"},
        {"GROUPLIST", "GROUP"},
        {"ACCOUNTLIST", "ACCT"},
        {"CLASSLIST", "CLASS"},
        {"QOSLIST", "QOS"},
        {"JOBATTRLIST", "JATTR"}
    };

    private static final List<String> WEEK = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

    private final PolicySettings settings;

    ReservationObjects(PolicySettings settings) {
        this.settings = settings;
    }

    SortedMap<String, StandingConfig> standing() {
        SortedMap<String, StandingConfig> standing = read("SRCFG");
        reportTooMany(standing);
        return standing;
    }

    /** Reports where, in the order of their names, standing reservations have more instances than reservations are kept. */
    private void reportTooMany(SortedMap<String, StandingConfig> standing) {
        SortedMap<String, Origin> origins = new TreeMap<>();
        for (ObjectSettings object : settings.objects("SRCFG")) {
            List<String> written = object.writtenNames();
            Origin origin = written.isEmpty() ? null : object.origin(written.get(0));
            if (origin != null) {
                origins.put(object.id(), origin);
            }
        }
        long instances = 0;
        String first = null;
        for (Map.Entry<String, StandingConfig> each : standing.entrySet()) {
            String name = each.getKey();
            if (!name.equals(SitePolicy.DEFAULT_OBJECT)) {
                instances += each.getValue().instances();
                first = first == null && instances > Limit.RESERVATIONS && origins.containsKey(name) ? name : first;
            }
        }
        Origin origin = first == null ? null : origins.get(first);
        if (origin != null) {
            settings.report(
                    Kind.DOUBTFUL,
                    origin,
                    "SRCFG[" + first + "] DEPTH",
                    "all standing reservations together have " + instances + " instances; at most "
                            + Limit.RESERVATIONS + " reservations are kept, so "
                            + (instances - Limit.RESERVATIONS)
                            + " are not made: those farthest ahead of the reservations with most instances");
        }
    }

    SortedMap<String, StandingConfig> profiles() {
        return read("RSVPROFILE");
    }

    private SortedMap<String, StandingConfig> read(String parameter) {
        SortedMap<String, StandingConfig> read = new TreeMap<>();
        for (ObjectSettings object : settings.objects(parameter)) {
            read.put(object.id(), standing(new Layered(object, profile(parameter, object))));
        }
        return read;
    }

    private @Nullable ObjectSettings profile(String parameter, ObjectSettings object) {
        String name = object.text("PROFILE");
        if (name == null) {
            return null;
        }
        for (ObjectSettings profile : settings.objects("RSVPROFILE")) {
            if (profile.id().equals(name) && profile != object) {
                return profile;
            }
        }
        Origin origin = object.origin("PROFILE");
        if (origin != null) {
            settings.report(
                    Kind.BAD_VALUE,
                    origin,
                    parameter + "[" + object.id() + "] PROFILE",
                    "there is no RSVPROFILE[" + name + "]; ignored");
        }
        return null;
    }

    private StandingConfig standing(Layered of) {
        String partition = of.text("PARTITION");
        StandingConfig.Period period = of.knows("PERIOD")
                ? of.requiredChoice("PERIOD", StandingConfig.Period.class)
                : StandingConfig.Period.DAY;
        if (period != StandingConfig.Period.DAY && of.knows("DAYS") && of.isSet("DAYS")) {
            report(Kind.DOUBTFUL, of, "DAYS", "counts for PERIOD=DAY only");
        }
        warnOfHosts(of);
        if (of.knows("DEPTH")
                && of.isSet("DEPTH")
                && of.count("DEPTH") == 0
                && period != StandingConfig.Period.INFINITY) {
            report(Kind.DOUBTFUL, of, "DEPTH", "is 0, but one instance is always kept; it is taken for 1");
        }
        if (period == StandingConfig.Period.INFINITY && of.knows("ENDTIME") && of.isSet("ENDTIME")) {
            report(Kind.DOUBTFUL, of, "ENDTIME", "counts for PERIOD=DAY and WEEK only");
        }
        if (of.knows("PERIOD") && of.items("FLAGS").contains("OWNERPREEMPT") && of.text("OWNER") == null) {
            report(
                    Kind.DOUBTFUL,
                    of,
                    "FLAGS",
                    "OWNERPREEMPT means nothing without an OWNER, whose jobs may preempt others");
        }
        long start = of.knows("STARTTIME") ? start(of, period) : 0;
        return new StandingConfig(
                period,
                of.knows("DAYS") ? days(of.items("DAYS")) : StandingConfig.ALL_DAYS,
                start,
                of.knows("ENDTIME") && of.isSet("ENDTIME") ? end(of, period, start) : null,
                of.knows("DEPTH") ? of.count("DEPTH") : StandingConfig.DEFAULT.depth(),
                of.count("TASKCOUNT"),
                of.isSet("RESOURCES") ? String.join(";", of.items("RESOURCES")) : "",
                of.isSet("HOSTLIST") && !of.items("HOSTLIST").equals(List.of("ALL"))
                        ? String.join(",", of.items("HOSTLIST"))
                        : "",
                of.items("NODEFEATURES"),
                partition == null || partition.equalsIgnoreCase("ALL") ? null : partition,
                tasksPerNode(of),
                acl(of),
                "DEDICATED".equals(of.text("ACCESS")),
                of.items("FLAGS"),
                of.text("OWNER"),
                (int) of.whole("PRIORITY"),
                of.text("SUBTYPE"),
                accountable(of),
                of.choice("RSVREALLOCPOLICY", ReallocationPolicy.class),
                of.text("COMMENT"));
    }

    /** Who pays for unused time, by the kinds that requests name. */
    private static SortedMap<String, String> accountable(Layered of) {
        SortedMap<String, String> accountable = new TreeMap<>();
        for (String name : List.of("AACCOUNT", "AUSER", "AGROUP", "AQOS", "CHARGEACCOUNT")) {
            String payer = of.knows(name) ? of.text(name) : null;
            if (payer != null) {
                accountable.put(name.equals("CHARGEACCOUNT") ? "aaccount" : name.toLowerCase(Locale.ROOT), payer);
            }
        }
        return accountable;
    }

    private static int days(List<String> names) {
        int days = 0;
        for (String name : names) {
            days |= name.equals("ALL") ? StandingConfig.ALL_DAYS : 1 << WEEK.indexOf(name);
        }
        return days == 0 ? StandingConfig.ALL_DAYS : days;
    }

    private static ReservedTasksPerNode tasksPerNode(Layered of) {
        String text = String.valueOf(of.text("TPN"));
        boolean atLeast = text.endsWith("+");
        int number = Integer.parseInt(atLeast ? text.substring(0, text.length() - 1) : text);
        return number == 0 ? ReservedTasksPerNode.ANY : new ReservedTasksPerNode(number, atLeast);
    }

    private String acl(Layered of) {
        List<String> entries = new ArrayList<>();
        for (String[] list : ACL_LISTS) {
            for (String item : of.items(list[0])) {
                if (isLegal(of, list[0], CredentialName.bare(item))) {
                    entries.add(list[1] + "==" + item);
                }
            }
        }
        if (of.isSet("TIMELIMIT")) {
            entries.add("DURATION<=" + of.text("TIMELIMIT"));
        }
        return String.join(",", entries);
    }

    /** Reports a name that cannot be one, or that no object of the configuration has where there are some. */
    private boolean isLegal(Layered of, String list, String name) {
        String problem = name.isEmpty() ? "a name is missing; ignored" : CredentialName.problem(name);
        if (!problem.isEmpty()) {
            report(Kind.BAD_VALUE, of, list, problem);
            return false;
        }
        String parameter = list.equals("CLASSLIST") ? "CLASSCFG" : list.equals("QOSLIST") ? "QOSCFG" : "";
        List<ObjectSettings> objects = parameter.isEmpty() ? List.of() : settings.objects(parameter);
        if (!objects.isEmpty()
                && objects.stream().noneMatch(object -> object.id().equals(name))) {
            report(Kind.DOUBTFUL, of, list, "'" + name + "': there is no " + parameter + "[" + name + "]");
        }
        return true;
    }

    /** Returns STARTTIME; 0 for one that does not lie in the period. */
    private long start(Layered of, StandingConfig.Period period) {
        long start = seconds(of, "STARTTIME");
        if (start < period.seconds()) {
            return start;
        }
        report(Kind.BAD_VALUE, of, "STARTTIME", "lies behind the end of the " + period + "; ignored");
        return 0;
    }

    /** Returns ENDTIME; null for one by which an instance would last longer than the period. */
    private @Nullable Long end(Layered of, StandingConfig.Period period, long start) {
        long end = seconds(of, "ENDTIME");
        if (end - start <= period.seconds()) {
            if (end == start && period != StandingConfig.Period.INFINITY) {
                report(Kind.DOUBTFUL, of, "ENDTIME", "is when it begins, so an instance lasts a whole " + period);
            }
            return end;
        }
        report(Kind.BAD_VALUE, of, "ENDTIME", "lies more than a " + period + " after the start; ignored");
        return null;
    }

    /**
     * Reports a HOSTLIST that is neither names nor a regular expression: no node matches it, whichever there are; and one whose
     * numbers in brackets find other nodes than they seem to.
     */
    private void warnOfHosts(Layered of) {
        String hosts = of.isSet("HOSTLIST") ? String.join(",", of.items("HOSTLIST")) : "";
        String lower = hosts.toLowerCase(Locale.ROOT);
        if (hosts.isEmpty() || hosts.equals("*") || lower.startsWith("class:") || lower.startsWith("r:")) {
            return;
        }
        try {
            Expression.of(hosts);
        } catch (BadExpressionException e) {
            report(Kind.BAD_VALUE, of, "HOSTLIST", e.reason() + "; no node matches, so it has none");
            return;
        }
        BracketedNumbers.in(hosts)
                .ifPresent(numbers -> report(Kind.DOUBTFUL, of, "HOSTLIST", "'" + hosts + "' " + numbers.advice()));
    }

    private void report(Kind kind, Layered of, String attribute, String message) {
        Origin origin = of.origin(attribute);
        if (origin != null) {
            settings.report(
                    kind,
                    origin,
                    of.object().parameterName() + "[" + of.object().id() + "] " + attribute,
                    message);
        }
    }

    private static long seconds(Layered of, String name) {
        return Math.min(PolicyTime.LONGEST, of.seconds(name));
    }

    /** An object whose gaps a profile fills. */
    private record Layered(ObjectSettings object, @Nullable ObjectSettings profile) implements SettingSource {
        boolean knows(String name) {
            return object.knows(name);
        }

        private ObjectSettings source(String name) {
            ObjectSettings behind = profile;
            return behind != null && !object.isSet(name) && behind.knows(name) && behind.isSet(name) ? behind : object;
        }

        @Override
        public @Nullable PolicyValue value(String name) {
            return source(name).value(name);
        }

        @Override
        public @Nullable Origin origin(String name) {
            return source(name).origin(name);
        }
    }
}
