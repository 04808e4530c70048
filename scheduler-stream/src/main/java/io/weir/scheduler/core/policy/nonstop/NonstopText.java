package io.weir.scheduler.core.policy.nonstop;

import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyLine;

/** The part of a configuration text that came from {@code nonstop.conf}: from its marker to the next one. */
public final class NonstopText {
    /** Name of the file, which lies beside the configuration. */
    public static final String FILE = Origin.NONSTOP_FILE;

    private NonstopText() {}

    /** Returns whether a line comes from that file. */
    public static boolean holds(Origin origin) {
        return origin.file().equals(FILE);
    }

    /** Returns {@code text} with what {@code other} has of that file in place of what it has itself. */
    public static String withPartOf(String text, String other) {
        StringBuilder joined = new StringBuilder(split(text, false));
        if (joined.length() > 0 && joined.charAt(joined.length() - 1) != '\n') {
            joined.append('\n');
        }
        return joined.append(split(other, true)).toString();
    }

    private static String split(String text, boolean inside) {
        StringBuilder part = new StringBuilder();
        boolean within = false;
        for (String line : text.split("(?<=\n)", -1)) {
            if (line.startsWith(PolicyLine.MARKER)) {
                within = line.stripTrailing().endsWith("\"" + FILE + "\"");
            }
            if (within == inside) {
                part.append(line);
            }
        }
        return part.toString();
    }
}
