package io.weir.command.site;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A change of an attribute as the command line has it: {@code name=value}, {@code name+=value} or {@code name-=value}.
 *
 * @param name attribute, possibly with an index as in {@code gmetric[temp]}
 * @param operator {@code =}, {@code +=} or {@code -=}
 * @param value what stands behind
 */
record Change(String name, String operator, String value) {
    private static final Pattern FORM = Pattern.compile("(\\w+(?:\\[[^\\]]*])?)\\s*(\\+=|-=|==|=)(.*)", Pattern.DOTALL);

    static Optional<Change> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        String operator = form.group(2).equals("==") ? "=" : form.group(2);
        int index = form.group(1).indexOf('[');
        String name = index < 0 ? form.group(1) : form.group(1).substring(0, index);
        String suffix = index < 0 ? "" : form.group(1).substring(index);
        return Optional.of(new Change(name.toLowerCase(Locale.ROOT) + suffix, operator, form.group(3)));
    }

    /** Adds it with its operator in front of the value. */
    Wish addTo(Wish wish) {
        return wish.with(name, operator + value);
    }

    /** Adds the value, with a sign in front when it is a change of what there is. */
    Wish addSignedTo(Wish wish) {
        return wish.with(name, operator.equals("=") ? value : operator.charAt(0) + value);
    }
}
