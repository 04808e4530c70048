package io.weir.scheduler.core.bound;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression that somebody wrote. It is RE2's, whose time grows with the text and not beyond: there are no
 * back-references and no look-around. Immutable.
 */
public final class Expression {
    /** Characters of an expression. */
    public static final int LONGEST = 256;

    /** Instructions it may be compiled to. */
    public static final int MOST_INSTRUCTIONS = 1_000;

    private final Pattern pattern;

    private Expression(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Compiles {@code text}.
     *
     * @throws BadExpressionException saying what is wrong with it and what to write
     */
    public static Expression of(String text) throws BadExpressionException {
        return of(text, 0);
    }

    /**
     * Compiles {@code text}, whose letters stand for small ones and capitals alike.
     *
     * @throws BadExpressionException saying what is wrong with it and what to write
     */
    public static Expression inAnyCase(String text) throws BadExpressionException {
        return of(text, Pattern.CASE_INSENSITIVE);
    }

    private static Expression of(String text, int flags) throws BadExpressionException {
        if (text.length() > LONGEST) {
            throw new BadExpressionException("an expression has at most " + LONGEST + " characters, found "
                    + text.length() + "; name the nodes in a list instead");
        }
        if (repetitions(text) > MOST_INSTRUCTIONS) {
            throw new BadExpressionException("'" + text + "' is too large a regular expression; its counted repetitions"
                    + " multiply to " + repetitions(text) + ", and " + MOST_INSTRUCTIONS + " are allowed");
        }
        Pattern pattern;
        try {
            pattern = Pattern.compile(text, flags);
        } catch (PatternSyntaxException e) {
            throw new BadExpressionException("'" + text + "' is no regular expression: " + e.getDescription()
                    + "; the syntax is RE2's, which has neither back-references nor look-around");
        }
        if (pattern.programSize() > MOST_INSTRUCTIONS) {
            throw new BadExpressionException("'" + text + "' is too large a regular expression; repeat less, "
                    + MOST_INSTRUCTIONS + " instructions are allowed and it takes " + pattern.programSize());
        }
        return new Expression(pattern);
    }

    /**
     * Returns the product of all counted repetitions in {@code text}, whether nested or not, up to a million times what is
     * allowed: compiled, they are written out, and that has to be known before.
     */
    private static long repetitions(String text) {
        long product = 1;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', open + 1)) {
            long most = 0;
            long number = 0;
            int i = open + 1;
            while (i < text.length() && (Character.isDigit(text.charAt(i)) || text.charAt(i) == ',')) {
                number = text.charAt(i) == ',' ? 0 : Math.min(1_000_000, number * 10 + text.charAt(i) - '0');
                most = Math.max(most, number);
                i++;
            }
            product = Math.min(MOST_INSTRUCTIONS * 1_000_000L, product * Math.max(1, most));
        }
        return product;
    }

    /** Returns whether it is found anywhere in {@code text}. */
    public boolean isIn(String text) {
        return pattern.matcher(text).find();
    }

    /** Returns whether all of {@code text} is what it describes. */
    public boolean matches(String text) {
        return pattern.matcher(text).matches();
    }

    /** Returns how many instructions a character of a text may cost. */
    public int instructions() {
        return pattern.programSize();
    }
}
