package io.weir.scheduler.core.job.extension;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The two forms of an extension text: {@code key=value,key=value} as after -l, and {@code KEY:value;KEY:value}. Segments
 * between semicolons may each have either form. A part between commas that has no {@code =} and is no known word belongs
 * to the list before it.
 */
final class ExtensionText {
    private static final Set<String> BARE = new TreeSet<>(List.of("nokill", "restartable", "checkpointable", "advres"));

    private ExtensionText() {}

    /**
     * A key and its value.
     *
     * @param key in lower case
     * @param value quotes removed; empty when none was given
     */
    record Pair(String key, String value) {}

    static List<Pair> pairs(String text) {
        List<Pair> pairs = new ArrayList<>();
        String whole = text.strip();
        if (whole.regionMatches(true, 0, "x=", 0, 2)) {
            whole = unquoted(whole.substring(2));
        }
        for (String segment : split(whole, ';')) {
            segment(segment.strip(), pairs);
        }
        return pairs;
    }

    private static void segment(String segment, List<Pair> pairs) {
        if (segment.isEmpty()) {
            return;
        }
        if (segment.regionMatches(true, 0, "PREF(", 0, 5)) {
            pairs.add(new Pair("pref", segment));
            return;
        }
        int colon = segment.indexOf(':');
        int equals = segment.indexOf('=');
        if (colon > 0 && (equals < 0 || colon < equals)) {
            pairs.add(pair(segment.substring(0, colon), segment.substring(colon + 1)));
            return;
        }
        List<String> parts = new ArrayList<>();
        for (String part : split(segment, ',')) {
            String item = part.strip();
            boolean begins = keyed(item) || BARE.contains(item.toLowerCase(Locale.ROOT));
            if (!begins && !parts.isEmpty()) {
                int last = parts.size() - 1;
                parts.set(last, parts.get(last) + "," + item);
            } else if (!item.isEmpty()) {
                parts.add(item);
            }
        }
        for (String part : parts) {
            int at = part.indexOf('=');
            pairs.add(at < 0 ? pair(part, "") : pair(part.substring(0, at), part.substring(at + 1)));
        }
    }

    /** Whether {@code item} begins with a key: letters up to the first {@code =}. */
    private static boolean keyed(String item) {
        int equals = item.indexOf('=');
        return equals > 0 && item.substring(0, equals).chars().allMatch(Character::isLetter);
    }

    private static Pair pair(String key, String value) {
        return new Pair(key.strip().toLowerCase(Locale.ROOT), unquoted(value.strip()));
    }

    private static String unquoted(String text) {
        boolean quoted = text.length() > 1
                && (text.charAt(0) == '"' || text.charAt(0) == '\'')
                && text.charAt(text.length() - 1) == text.charAt(0);
        return quoted ? text.substring(1, text.length() - 1) : text;
    }

    /** Splits outside quotes and parentheses. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        char quote = 0;
        int depth = 0;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth = Math.max(0, depth - 1);
            } else if (c == separator && depth == 0) {
                parts.add(text.substring(begin, i));
                begin = i + 1;
            }
        }
        parts.add(text.substring(begin));
        return parts;
    }
}
