package io.weir.scheduler.core.policy.language.value;

import java.util.Locale;

/** What the names of users, groups, accounts, classes, QoS, jobs and reservations look like where they are listed. */
public final class CredentialName {
    /** Signs that may stand beside letters and digits, for names such as {@code anna@SITE} and {@code 17[3]}. */
    private static final String SIGNS = "._-@$+/\\%#[]";

    /** What may stand on either side of a name in an access list. */
    private static final String MODIFIERS = "-+=!*^&~";

    private CredentialName() {}

    /** Returns what is wrong with {@code name}, with what to do about it; empty when nothing is. */
    public static String problem(String name) {
        return name.codePoints()
                .filter(sign -> !Character.isLetterOrDigit(sign) && SIGNS.indexOf(sign) < 0)
                .mapToObj(sign -> "'" + shown(name) + "' has " + quoted(sign)
                        + " in it, which no name has; separate names by commas or colons")
                .findFirst()
                .orElse("");
    }

    /** Returns {@code listed} without the modifiers that may stand on either side of a name in an access list. */
    public static String bare(String listed) {
        String name = listed.strip();
        int from = 0;
        int to = name.length();
        while (from < to && MODIFIERS.indexOf(name.charAt(from)) >= 0) {
            from++;
        }
        while (to > from && MODIFIERS.indexOf(name.charAt(to - 1)) >= 0) {
            to--;
        }
        return name.substring(from, to);
    }

    private static String shown(String name) {
        StringBuilder shown = new StringBuilder(name.length());
        name.codePoints().map(sign -> printable(sign) ? sign : '?').forEach(shown::appendCodePoint);
        return shown.toString();
    }

    private static String quoted(int sign) {
        return printable(sign)
                ? "'" + Character.toString(sign) + "'"
                : "U+" + Integer.toHexString(0x10000 | sign).substring(1).toUpperCase(Locale.ROOT);
    }

    /** Returns whether {@code sign} can be written out: neither a control character nor half of one. */
    private static boolean printable(int sign) {
        return !Character.isISOControl(sign) && (sign > Character.MAX_VALUE || !Character.isSurrogate((char) sign));
    }
}
