package io.weir.scheduler.core.policy.language.value;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;

/**
 * Numbers in brackets as Slurm writes them, such as {@code n[1-20]}. In a regular expression they stand for one character,
 * which is not what their writer means.
 *
 * @param brackets as written
 * @param first name of the first node that is meant
 * @param last name of the last one
 */
public record BracketedNumbers(String brackets, String first, String last) {
    private static final Pattern FORM = Pattern.compile("\\[(\\d{1,9})-(\\d{2,9})(?:,\\d+(?:-\\d+)?)*\\]");

    /** Finds such numbers in an expression. */
    public static Optional<BracketedNumbers> in(String expression) {
        Matcher found = FORM.matcher(expression);
        if (!found.find() || Integer.parseInt(found.group(1)) >= Integer.parseInt(found.group(2))) {
            return Optional.empty();
        }
        String name = expression.substring(0, found.start()).replace("^", "");
        return Optional.of(new BracketedNumbers(found.group(), name + found.group(1), name + found.group(2)));
    }

    /** Says what the brackets mean and what to write instead; goes behind the name of what was given. */
    public String advice() {
        return "is a regular expression, where " + brackets + " stands for one character; for a range write r:" + first
                + "-" + last + ", or the names separated by commas";
    }
}
