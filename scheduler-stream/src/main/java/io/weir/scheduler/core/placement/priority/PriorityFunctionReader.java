package io.weir.scheduler.core.placement.priority;

import io.weir.scheduler.core.placement.priority.PriorityFunction.Problem;
import io.weir.scheduler.core.placement.priority.PriorityFunction.Reading;
import io.weir.scheduler.core.placement.priority.PriorityFunction.Term;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one priority function from left to right; used once.
 *
 * <pre>
 *   expr := [sign] term { sign term }
 *   term := [ num ["*"] ] comp | comp "*" num | num
 *   comp := NAME [ "[" idx "]" ]
 *   sign := ("+" | "-") { "+" | "-" }
 * </pre>
 */
final class PriorityFunctionReader {
    private final String text;
    private final List<Term> terms = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private double constant;
    private int at;

    PriorityFunctionReader(String text) {
        this.text = text;
    }

    Reading read() {
        Problem fatal = expression();
        if (fatal != null) {
            problems.add(fatal);
            return new Reading(null, problems);
        }
        return new Reading(new PriorityFunction(terms, constant), problems);
    }

    /** Returns what makes the whole function unusable; null when it was read to its end. */
    private @Nullable Problem expression() {
        skipBlanks();
        boolean first = true;
        while (first || at < text.length()) {
            int signAt = at;
            double sign = sign();
            if (!first && signAt == at) {
                return problem(at, "expected + or -");
            }
            Problem fatal = term(sign);
            if (fatal != null) {
                return fatal;
            }
            first = false;
        }
        return null;
    }

    private @Nullable Problem term(double sign) {
        int start = at;
        if (at >= text.length()) {
            return problem(at, "the function ends where a component or a number should stand");
        }
        if (!startsNumber()) {
            return component(start, sign, false);
        }
        double number = number();
        if (Double.isInfinite(number)) {
            return new Problem(start + 1, text.substring(start, at), "too large a number");
        }
        skipBlanks();
        if (accept('*')) {
            if (at >= text.length() || !startsName()) {
                return problem(at, "a component has to follow *");
            }
            return component(start, sign * number, true);
        }
        if (at < text.length() && startsName()) {
            return component(start, sign * number, true);
        }
        constant += sign * number;
        return null;
    }

    private @Nullable Problem component(int start, double coefficient, boolean weighted) {
        if (!startsName()) {
            return problem(at, "expected a component or a number");
        }
        int nameAt = at;
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            at++;
        }
        NodePriorityComponent component = NodePriorityComponent.named(text.substring(nameAt, at));
        if (component == null) {
            return new Problem(nameAt + 1, text.substring(nameAt, at), "unknown component");
        }
        int nameEnd = at;
        String index = "";
        skipBlanks();
        if (at < text.length() && text.charAt(at) == '[') {
            int close = text.indexOf(']', at);
            if (close < 0) {
                return new Problem(at + 1, text.substring(at), "missing ]");
            }
            index = text.substring(at + 1, close).strip();
            at = close + 1;
            skipBlanks();
            if (component.index() == NodePriorityComponent.Index.NONE) {
                return new Problem(nameAt + 1, text.substring(nameAt, close + 1), component + " takes no index");
            }
        }
        if (component.index() == NodePriorityComponent.Index.REQUIRED && index.isEmpty()) {
            return new Problem(nameAt + 1, text.substring(nameAt, nameEnd), component + " needs an index");
        }
        if (!weighted && accept('*')) {
            if (at >= text.length() || !startsNumber()) {
                return problem(at, "a number has to follow *");
            }
            int numberAt = at;
            double number = number();
            if (Double.isInfinite(number)) {
                return new Problem(numberAt + 1, text.substring(numberAt, at), "too large a number");
            }
            skipBlanks();
            if (component == NodePriorityComponent.RANDOM) {
                problems.add(new Problem(
                        start + 1,
                        text.substring(start, at).strip(),
                        "the coefficient of RANDOM has to stand before it; term ignored"));
                return null;
            }
            add(coefficient * number, component, index);
            return null;
        }
        add(coefficient, component, index);
        return null;
    }

    private void add(double coefficient, NodePriorityComponent component, String index) {
        for (int i = 0; i < terms.size(); i++) {
            Term term = terms.get(i);
            if (term.component() == component && term.index().equals(index)) {
                terms.set(i, new Term(term.coefficient() + coefficient, component, index));
                return;
            }
        }
        terms.add(new Term(coefficient, component, index));
    }

    /** Returns the product of a run of signs; 1 for an empty one. */
    private double sign() {
        double sign = 1;
        while (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
            sign = text.charAt(at) == '-' ? -sign : sign;
            at++;
            skipBlanks();
        }
        return sign;
    }

    private boolean startsNumber() {
        char c = text.charAt(at);
        return digit(c) || (c == '.' && at + 1 < text.length() && digit(text.charAt(at + 1)));
    }

    private boolean startsName() {
        return at < text.length() && Character.isLetter(text.charAt(at));
    }

    private double number() {
        int start = at;
        skipDigits();
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            skipDigits();
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            int exponent = at + 1;
            if (exponent < text.length() && (text.charAt(exponent) == '+' || text.charAt(exponent) == '-')) {
                exponent++;
            }
            if (exponent < text.length() && digit(text.charAt(exponent))) {
                at = exponent;
                skipDigits();
            }
        }
        return Double.parseDouble(text.substring(start, at));
    }

    private void skipDigits() {
        while (at < text.length() && digit(text.charAt(at))) {
            at++;
        }
    }

    private boolean accept(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            skipBlanks();
            return true;
        }
        return false;
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private Problem problem(int position, String message) {
        int end = position;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end)) && end - position < 20) {
            end++;
        }
        return new Problem(position + 1, text.substring(position, end), message);
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }
}
