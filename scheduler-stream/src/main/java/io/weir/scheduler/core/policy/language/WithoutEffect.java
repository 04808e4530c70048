package io.weir.scheduler.core.policy.language;

import java.util.Set;
import java.util.TreeSet;

/**
 * What belongs to working parts of the scheduler and yet nothing acts on so far. Who gives one of these an effect takes it
 * off the list; a name alone stands for a parameter with all its attributes.
 */
final class WithoutEffect {
    private static final Set<String> NAMES = new TreeSet<>(Set.of(
            "BACKFILLPOLICY=PREEMPT",
            "BFCHUNKDURATION",
            "BFCHUNKSIZE",
            "FEATURENODETYPEHEADER",
            "FEATUREPARTITIONHEADER",
            "FEATUREPROCSPEEDHEADER",
            "NODECFG RACK",
            "NODECFG RADISK",
            "NODECFG SLOT",
            "NODECFG VARIABLE",
            "NODEDOWNSTATEDELAYTIME",
            "NODEDRAINSTATEDELAYTIME",
            "PARCFG RESERVATIONPOLICY",
            "QOSCFG QFLAGS=DEDICATED",
            "QOSCFG QFLAGS=PREEMPTEE",
            "QOSCFG QFLAGS=PREEMPTOR",
            "QOSCFG QFLAGS=TRIGGER",
            "QOSCFG QFLAGS=USERESERVED",
            "RSVPROFILE AGROUP",
            "RSVPROFILE AQOS",
            "RSVPROFILE AUSER",
            "RSVPROFILE CHARGEACCOUNT",
            "RSVPROFILE FLAGS=OWNERPREEMPT",
            "RSVPROFILE FLAGS=PREEMPTEE",
            "RSVPROFILE FLAGS=SINGLEUSE",
            "RSVPROFILE FLAGS=TIMEFLEX",
            "RSVPROFILE PRIORITY",
            "SRCFG CHARGEACCOUNT",
            "SRCFG FLAGS=OWNERPREEMPT",
            "SRCFG FLAGS=PREEMPTEE",
            "SRCFG FLAGS=SINGLEUSE",
            "SRCFG FLAGS=TIMEFLEX",
            "SRCFG PRIORITY"));

    private WithoutEffect() {}

    static boolean holds(String parameter) {
        return NAMES.contains(parameter);
    }

    static boolean holds(String parameter, String attribute) {
        return NAMES.contains(parameter) || NAMES.contains(parameter + " " + attribute);
    }

    /** Returns whether {@code value}, or what stands before its colon, has no effect where {@code name} has one. */
    static boolean holdsValue(String name, String value) {
        int colon = value.indexOf(':');
        return NAMES.contains(name + "=" + (colon < 0 ? value : value.substring(0, colon)));
    }
}
