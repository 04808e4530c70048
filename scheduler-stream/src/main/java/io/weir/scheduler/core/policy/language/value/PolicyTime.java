package io.weir.scheduler.core.policy.language.value;

/** The configuration's way to write an interval: {@code [[[DD:]HH:]MM:]SS}, or plain seconds. */
public final class PolicyTime {
    /** The longest interval there is, seconds: a hundred years. Stands for INFINITY where one has to be reckoned with. */
    public static final long LONGEST = 100L * 366 * 86_400;

    private static final long[] UNITS = {1, 60, 3600, 86_400};

    private PolicyTime() {}

    /** Returns the seconds {@code text} stands for, or -1 when it is not an interval of at most a hundred years. */
    public static long seconds(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length > UNITS.length) {
            return -1;
        }
        long seconds = 0;
        for (int i = 0; i < parts.length; i++) {
            String part = parts[parts.length - 1 - i];
            if (part.isEmpty() || part.length() > 10 || !part.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return -1;
            }
            seconds += Long.parseLong(part) * UNITS[i];
        }
        return seconds > LONGEST ? -1 : seconds;
    }

    /** Returns {@code seconds} as {@code [D:]HH:MM:SS}. */
    public static String format(long seconds) {
        if (seconds < 0) {
            return Long.toString(seconds);
        }
        StringBuilder text = new StringBuilder();
        if (seconds >= 86_400) {
            text.append(seconds / 86_400).append(':');
        }
        return text.append(twoDigits(seconds / 3600 % 24))
                .append(':')
                .append(twoDigits(seconds / 60 % 60))
                .append(':')
                .append(twoDigits(seconds % 60))
                .toString();
    }

    private static String twoDigits(long number) {
        return number < 10 ? "0" + number : Long.toString(number);
    }
}
