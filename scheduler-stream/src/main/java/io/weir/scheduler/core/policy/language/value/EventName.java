package io.weir.scheduler.core.policy.language.value;

import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Names of events. Those of the events that the scheduler raises by itself are compared without case; others, which sites and
 * resource managers give, are what is written.
 */
public final class EventName {
    private static final SortedSet<String> BUILT_IN = Collections.unmodifiableSortedSet(new TreeSet<>(Arrays.asList(
            "nodedown",
            "nodeup",
            "nodefailing",
            "nodetransient",
            "noderesume",
            "jobstart",
            "jobend",
            "jobfail",
            "jobcancel",
            "jobrequeue",
            "jobhold",
            "jobwcviolation",
            "rsvcreate",
            "rsvstart",
            "rsvend",
            "rsvcancel",
            "rsvmodify",
            "rsvretryexpired",
            "rmdown",
            "rmup",
            "amfailure",
            "allocpluginfailure",
            "trigfail",
            "schedstart",
            "schedstop",
            "schedresume",
            "configchange")));

    private EventName() {}

    /** Returns the name of the event that {@code written} means. */
    public static String of(String written) {
        String lower = written.toLowerCase(Locale.ROOT);
        return isBuiltIn(lower) ? lower : written;
    }

    /** Returns whether the scheduler raises events of this name by itself. */
    public static boolean isBuiltIn(String name) {
        return BUILT_IN.contains(name);
    }
}
