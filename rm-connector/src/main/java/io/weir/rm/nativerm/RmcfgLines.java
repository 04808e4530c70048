package io.weir.rm.nativerm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the {@code RMCFG[name] ATTR=VALUE ...} lines in a scheduler's configuration and skips all others. Lines of one
 * name merge, a later value replaces an earlier one; quotes keep blanks, a backslash at the end joins the next line.
 */
final class RmcfgLines {
    private static final Pattern LINE =
            Pattern.compile("RMCFG\\[([A-Za-z0-9_.:-]+)]\\s*(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private RmcfgLines() {}

    /**
     * Returns the attributes, names in upper case, by resource manager in the order of appearance.
     *
     * @param source what to call the text in problems
     */
    static Map<String, Map<String, String>> read(String source, String text, List<String> problems) {
        Map<String, Map<String, String>> managers = new LinkedHashMap<>();
        int number = 0;
        int first = 1;
        StringBuilder joined = new StringBuilder();
        for (String line : text.split("\\R", -1)) {
            number++;
            if (joined.length() == 0) {
                first = number;
            }
            if (line.endsWith("\\")) {
                joined.append(line, 0, line.length() - 1).append(' ');
                continue;
            }
            Matcher match = LINE.matcher(joined.append(line).toString().strip());
            joined.setLength(0);
            if (match.matches()) {
                String place = source + ":" + first;
                Map<String, String> attributes =
                        managers.computeIfAbsent(match.group(1), name -> new LinkedHashMap<>());
                words(place, match.group(2), problems).forEach(word -> attribute(place, word, attributes, problems));
            }
        }
        return managers;
    }

    private static void attribute(String place, String word, Map<String, String> attributes, List<String> problems) {
        int mark = word.indexOf('=');
        if (mark <= 0) {
            problems.add(place + ": '" + word + "' is not ATTR=VALUE");
        } else {
            attributes.put(word.substring(0, mark).toUpperCase(Locale.ROOT), word.substring(mark + 1));
        }
    }

    private static List<String> words(String place, String text, List<String> problems) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean between = quote == 0 && Character.isWhitespace(c);
            if (quote == 0 && c == '#' && word.length() == 0) {
                break;
            } else if (between) {
                take(word, words);
            } else if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '"' || c == '\'') && word.indexOf("=") >= 0) {
                quote = c;
            } else {
                word.append(c);
            }
        }
        if (quote != 0) {
            problems.add(place + ": a quote is not closed");
        }
        take(word, words);
        words.remove("...");
        return words;
    }

    private static void take(StringBuilder word, List<String> words) {
        if (word.length() > 0) {
            words.add(word.toString());
            word.setLength(0);
        }
    }
}
