package io.weir.scheduler.core.policy.language.parameter;

import io.weir.scheduler.core.policy.language.value.PolicyValue;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What belongs to working parts of the scheduler and yet nothing acts on so far, and what it waits for. Who gives one of
 * these an effect takes it off the list; a name alone stands for a parameter with all its attributes.
 */
public final class UnimplementedParameters {
    /** What is said of a setting that nothing acts on; what it waits for follows. */
    public static final String NO_EFFECT = "has no effect yet";

    private static final SortedMap<String, String> REASONS = reasons();

    private UnimplementedParameters() {}

    private static SortedMap<String, String> reasons() {
        SortedMap<String, String> reasons = new TreeMap<>();
        because(reasons, "nobody is suspended to make room for others: nothing is preempted", "PREEMPTPOLICY=SUSPEND");
        because(
                reasons,
                "no reservation gives way to others; who may be preempted is said of jobs",
                "RSVPROFILE FLAGS=PREEMPTEE",
                "SRCFG FLAGS=PREEMPTEE");
        because(
                reasons,
                "is kept with the reservation, and who preempts whom goes by the jobs alone",
                "RSVPROFILE PRIORITY",
                "SRCFG PRIORITY");
        because(reasons, "belongs to node failures", "RMCFG NODESTATEPOLICY");
        because(
                reasons,
                "charges are on the topic charges; for a file or a web service set peer.NAME.* in the notifier",
                "ACCOUNTINGINTERFACEURL");
        because(reasons, "set up a channel of type mail in the notifier", "MAILPROGRAM");
        because(reasons, "set up a channel of type exec in the notifier", "NOTIFICATIONPROGRAM");
        because(reasons, "set action.dbupdate.* in the notifier", "DBCFG PASSWORDFILE", "DBCFG URL", "DBCFG USER");
        because(reasons, "set peer.NAME.* in the notifier", "AMCFG RETRYFAILEDCHARGES", "AMCFG SERVER");
        because(
                reasons,
                "belongs to statistics",
                "ACCOUNTCFG ENABLEPROFILING",
                "CLASSCFG ENABLEPROFILING",
                "GROUPCFG ENABLEPROFILING",
                "PROFILEDEPTH",
                "USERCFG ENABLEPROFILING");
        because(
                reasons,
                "is a setting of Weir's processes, not of the policy",
                "LOGFILE",
                "LOGLEVEL",
                "RMCFG FLAGS",
                "RMCFG POLLINTERVAL",
                "SCHEDCFG SERVER");
        because(
                reasons,
                "what operators may do goes by their names and the level these are listed under",
                "ADMINCFG GROUPS",
                "ADMINCFG NAME",
                "ADMINCFG SERVICES");
        because(
                reasons,
                "nobody measures how much of it a job uses; limit it in the resource manager",
                "RESOURCELIMITPOLICY=DISK",
                "RESOURCELIMITPOLICY=PROC",
                "RESOURCELIMITPOLICY=SWAP");
        because(reasons, "only reports would show it", "NODECFG FLAGS", "NODECFG RADISK");
        return Collections.unmodifiableSortedMap(reasons);
    }

    private static void because(SortedMap<String, String> reasons, String reason, String... names) {
        for (String name : names) {
            reasons.put(name, reason);
        }
    }

    static boolean holds(String parameter) {
        return REASONS.containsKey(parameter);
    }

    static boolean holds(String parameter, String attribute) {
        return REASONS.containsKey(parameter) || REASONS.containsKey(parameter + " " + attribute);
    }

    /** Returns whether {@code value}, or what stands before its colon, has no effect where {@code name} has one. */
    static boolean holdsValue(String name, String value) {
        return REASONS.containsKey(key(name, value));
    }

    /** Returns the items of {@code value}, or it itself, that have no effect where {@code name} has one. */
    public static List<String> items(String name, PolicyValue value) {
        List<String> items = value instanceof PolicyValue.Items list ? list.items() : List.of(value.text());
        return items.stream().filter(item -> holdsValue(name, item)).toList();
    }

    /** Returns what {@code name}, a parameter or one with its attribute, waits for, behind a semicolon; or nothing. */
    public static String reason(String name) {
        String reason = REASONS.get(name);
        return reason == null ? "" : "; " + reason;
    }

    /** Returns what a value waits for, behind a semicolon; or nothing. */
    public static String reason(String name, String value) {
        return reason(key(name, value));
    }

    private static String key(String name, String value) {
        int colon = value.indexOf(':');
        return name + "=" + (colon < 0 ? value : value.substring(0, colon));
    }
}
