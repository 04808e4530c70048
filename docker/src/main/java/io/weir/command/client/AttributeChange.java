package io.weir.command.client;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A change of an attribute as the command line has it: {@code name=value}, {@code name+=value} or {@code name-=value}.
 *
 * @param name attribute, possibly with an index as in {@code gmetric[temp]}, or with what is said of it as in {@code message:5}
 * @param operator {@code =}, {@code +=} or {@code -=}
 * @param value what stands behind
 */
public record AttributeChange(String name, String operator, String value) {
    private static final Pattern FORM =
            Pattern.compile("((?i:message)(?::[^:=]*?)+|\\w+(?:\\[[^\\]]*])?)\\s*(\\+=|-=|==|=)(.*)", Pattern.DOTALL);

    /** Reads a change; empty when {@code text} is none. The name is in lower case, an index stays as written. */
    public static Optional<AttributeChange> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        String operator = form.group(2).equals("==") ? "=" : form.group(2);
        int index = form.group(1).indexOf('[');
        String name = index < 0 ? form.group(1) : form.group(1).substring(0, index);
        String suffix = index < 0 ? "" : form.group(1).substring(index);
        return Optional.of(new AttributeChange(name.toLowerCase(Locale.ROOT) + suffix, operator, form.group(3)));
    }

    /** Adds it with its operator in front of the value. */
    public OperatorRequest addTo(OperatorRequest request) {
        return request.with(name, operator + value);
    }

    /** Adds the value, with a sign in front when it is a change of what there is. */
    public OperatorRequest addSignedTo(OperatorRequest request) {
        return request.with(name, operator.equals("=") ? value : operator.charAt(0) + value);
    }
}
