package io.weir.command.nonstop;

import io.weir.command.terminal.BadInputException;
import java.util.Locale;

/**
 * What to do about failed or failing nodes: {@code REPLACE:TIME_LIMIT_DELAY=4:DROP:TIME_LIMIT_DROP=10}. All items hold
 * together; the order in which they are carried out is fixed.
 *
 * @param replace REPLACE: try to replace every node
 * @param drop DROP: give up nodes that were not replaced
 * @param exitJob EXIT_JOB: end the job if nodes remain
 * @param delay TIME_LIMIT_DELAY: minutes to wait for a replacement
 * @param extend TIME_LIMIT_EXTEND: minutes for each replaced node
 * @param dropExtend TIME_LIMIT_DROP: minutes for each node given up
 */
record Directives(boolean replace, boolean drop, boolean exitJob, int delay, int extend, int dropExtend) {
    static final Directives NONE = new Directives(false, false, false, 0, 0, 0);

    private static final int MOST_MINUTES = 65_533;
    private static final int LONGEST = 4_096;
    private static final String LEGAL =
            "REPLACE, DROP, EXIT_JOB, TIME_LIMIT_DELAY=N, TIME_LIMIT_EXTEND=N and TIME_LIMIT_DROP=N are legal";

    /**
     * Reads a text; nothing in it asks for nothing.
     *
     * @throws BadInputException when an item is not legal
     */
    static Directives parse(String text) {
        if (text.length() > LONGEST) {
            throw new BadInputException(
                    "The directives have " + text.length() + " characters; at most " + LONGEST + " are allowed");
        }
        Directives found = NONE;
        for (String item : text.replaceAll("\\s", "").toUpperCase(Locale.ROOT).split(":", -1)) {
            found = item.isEmpty() ? found : found.with(item);
        }
        return found;
    }

    private Directives with(String item) {
        int equals = item.indexOf('=');
        String key = equals < 0 ? item : item.substring(0, equals);
        String value = equals < 0 ? "" : item.substring(equals + 1);
        boolean bare = equals < 0;
        return switch (key) {
            case "REPLACE" -> new Directives(plain(item, bare), drop, exitJob, delay, extend, dropExtend);
            case "DROP" -> new Directives(replace, plain(item, bare), exitJob, delay, extend, dropExtend);
            case "EXIT_JOB" -> new Directives(replace, drop, plain(item, bare), delay, extend, dropExtend);
            case "TIME_LIMIT_DELAY" -> new Directives(replace, drop, exitJob, minutes(item, value), extend, dropExtend);
            case "TIME_LIMIT_EXTEND" -> new Directives(replace, drop, exitJob, delay, minutes(item, value), dropExtend);
            case "TIME_LIMIT_DROP" -> new Directives(replace, drop, exitJob, delay, extend, minutes(item, value));
            default -> throw illegal(item);
        };
    }

    private static boolean plain(String item, boolean bare) {
        if (!bare) {
            throw illegal(item);
        }
        return true;
    }

    private static int minutes(String item, String value) {
        String number = value.endsWith("MIN") ? value.substring(0, value.length() - 3) : value;
        boolean digits =
                !number.isEmpty() && number.length() <= 5 && number.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits || Integer.parseInt(number) > MOST_MINUTES) {
            throw illegal(item);
        }
        return Integer.parseInt(number);
    }

    private static BadInputException illegal(String item) {
        return new BadInputException("'" + item + "' is no directive; " + LEGAL + ", N up to " + MOST_MINUTES);
    }

    /** Returns whether anything is to be done about nodes. */
    boolean act() {
        return replace || drop || exitJob;
    }
}
