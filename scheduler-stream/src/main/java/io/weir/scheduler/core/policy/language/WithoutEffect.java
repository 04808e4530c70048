package io.weir.scheduler.core.policy.language;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What belongs to working parts of the scheduler and yet nothing acts on so far, and what it waits for. Who gives one of
 * these an effect takes it off the list; a name alone stands for a parameter with all its attributes.
 */
final class WithoutEffect {
    private static final SortedMap<String, String> REASONS = reasons();

    private WithoutEffect() {}

    private static SortedMap<String, String> reasons() {
        SortedMap<String, String> reasons = new TreeMap<>();
        because(
                reasons,
                "jobs start as under FIRSTFIT without priority reservations; what needs preemption, which Weir does not have,"
                        + " is left out",
                "BACKFILLPOLICY=PREEMPT");
        because(
                reasons,
                "needs preemption, which Weir does not have",
                "QOSCFG QFLAGS=PREEMPTEE",
                "QOSCFG QFLAGS=PREEMPTOR",
                "RSVPROFILE FLAGS=OWNERPREEMPT",
                "RSVPROFILE FLAGS=PREEMPTEE",
                "SRCFG FLAGS=OWNERPREEMPT",
                "SRCFG FLAGS=PREEMPTEE");
        because(
                reasons,
                "is kept with the reservation, where only preemption, which Weir does not have, would look at it",
                "RSVPROFILE PRIORITY",
                "SRCFG PRIORITY");
        because(reasons, "belongs to transient failures", "NODEDOWNSTATEDELAYTIME", "NODEDRAINSTATEDELAYTIME");
        because(
                reasons,
                "belongs to charging",
                "RSVPROFILE AGROUP",
                "RSVPROFILE AQOS",
                "RSVPROFILE AUSER",
                "RSVPROFILE CHARGEACCOUNT",
                "SRCFG CHARGEACCOUNT");
        because(reasons, "belongs to triggers", "NODECFG VARIABLE", "QOSCFG QFLAGS=TRIGGER");
        because(
                reasons,
                "only reports would show it",
                "FEATURENODETYPEHEADER",
                "NODECFG RACK",
                "NODECFG RADISK",
                "NODECFG SLOT");
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

    /** Returns what {@code name}, a parameter or one with its attribute, waits for, behind a semicolon; or nothing. */
    static String reason(String name) {
        String reason = REASONS.get(name);
        return reason == null ? "" : "; " + reason;
    }

    /** Returns what a value waits for, behind a semicolon; or nothing. */
    static String reason(String name, String value) {
        return reason(key(name, value));
    }

    private static String key(String name, String value) {
        int colon = value.indexOf(':');
        return name + "=" + (colon < 0 ? value : value.substring(0, colon));
    }
}
