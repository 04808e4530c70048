package io.weir.scheduler.core.policy.nonstop;

import io.weir.scheduler.core.policy.language.Origin;
import io.weir.scheduler.core.policy.language.PolicyLine;
import org.jspecify.annotations.Nullable;

/** The part of a configuration text that came from {@code nonstop.conf}: from its marker to the next one. */
public final class NonstopText {
    /** Name of the file, which lies beside the configuration. */
    public static final String FILE = Origin.NONSTOP_FILE;

    /** Name under which an iteration says what was kept of that file. */
    public static final String RECORD = "keptFailureService";

    /** Ends what was kept of a file in place of one that came later and was refused. */
    private static final String KEPT = "# kept, as the file that came later was refused\n";

    private NonstopText() {}

    /** Returns whether a line comes from that file. */
    public static boolean holds(Origin origin) {
        return origin.file().equals(FILE);
    }

    /** Returns {@code text} with what {@code other} has of that file kept in place of what it has itself. */
    public static String keeping(String text, String other) {
        String part = inLines(split(other, true));
        return with(text, part.endsWith(KEPT) ? part : part + KEPT);
    }

    /** Returns what was {@linkplain #keeping kept} in {@code text}; null when it has that file as it came. */
    public static @Nullable String kept(String text) {
        if (!text.contains(KEPT)) {
            return null;
        }
        String part = split(text, true);
        return part.endsWith(KEPT) ? part : null;
    }

    /** Returns {@code text} with {@code part} in place of what it has of that file. */
    public static String with(String text, String part) {
        return inLines(split(text, false)) + part;
    }

    private static String inLines(String text) {
        return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
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
