package io.weir.notifier.exec;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * One argument with variables in it, {@code $NAME} or {@code ${NAME}}; {@code \$} is a dollar sign. What a variable holds
 * is not looked at again and stays part of this one argument; an argument that begins with a variable never becomes an
 * option: a blank goes before a leading {@code -}. Immutable.
 *
 * @param text the argument as configured
 */
record ArgumentTemplate(String text) {

    private static final Pattern VARIABLE = Pattern.compile("\\\\\\$|\\$\\{([A-Z_]+)}|\\$([A-Z_]+)");

    /** Returns the names in it that are not among {@code known}. */
    Set<String> unknown(Set<String> known) {
        Set<String> unknown = new TreeSet<>();
        VARIABLE.matcher(text).results().map(ArgumentTemplate::name).forEach(name -> {
            if (!name.isEmpty() && !known.contains(name)) {
                unknown.add(name);
            }
        });
        return unknown;
    }

    /** Returns the argument with its variables replaced by their values; unknown ones stay as written. */
    String fill(Map<String, String> variables) {
        String filled = VARIABLE.matcher(text)
                .replaceAll(match -> java.util.regex.Matcher.quoteReplacement(
                        name(match).isEmpty() ? "$" : variables.getOrDefault(name(match), match.group())));
        return filled.startsWith("-") && !text.startsWith("-") ? " " + filled : filled;
    }

    private static String name(MatchResult match) {
        if (match.group(1) != null) {
            return match.group(1);
        }
        return match.group(2) == null ? "" : match.group(2);
    }
}
