package io.weir.scheduler.core.request.form;

import io.weir.scheduler.core.policy.language.value.PolicyTime;

/** A wallclock limit as a request gives it: a time, INFINITY for none, or a sign and how
 * much more or less than the present limit. */
public final class WalltimeChange {
    /** Stands for a text that is no limit. */
    public static final long INVALID = -1;

    private WalltimeChange() {}

    /** Returns the limit that {@code text} makes of {@code present}, at least one second; or {@link #INVALID}. */
    public static long seconds(String text, long present) {
        if (text.equalsIgnoreCase("INFINITY")) {
            return PolicyTime.LONGEST;
        }
        boolean more = text.startsWith("+");
        boolean less = text.startsWith("-");
        long given = PolicyTime.seconds(more || less ? text.substring(1) : text);
        if (given < 0 || given > PolicyTime.LONGEST) {
            return INVALID;
        }
        long seconds = more ? present + given : less ? present - given : given;
        return seconds < 1 || seconds > PolicyTime.LONGEST ? INVALID : seconds;
    }
}
