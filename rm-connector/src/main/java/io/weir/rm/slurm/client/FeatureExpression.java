package io.weir.rm.slurm.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The features of {@code sbatch -C}: {@code a&b}, {@code a|b}, and choices in parentheses, {@code a&(b|c)}. In Weir's words all
 * of a list have to hold, and an element may be a choice, {@code b|c}. What has no such form is told in a sentence: counts
 * ({@code a*2}), the same choice for all nodes ({@code [a|b]}), {@code |} beside {@code &} without parentheses. Immutable.
 *
 * @param features features that all have to hold, sorted
 * @param objection what cannot be; null when everything can
 */
public record FeatureExpression(
        List<String> features, @Nullable String objection) {
    /** Asks for nothing. */
    public static final FeatureExpression NONE = new FeatureExpression(List.of(), null);

    /** Reads an expression; {@code nodes} is how many nodes the job runs on at most, 0 for any number. */
    public static FeatureExpression parse(String text, int nodes) {
        String words = text.replace(',', '&').replace(" ", "");
        if (words.isEmpty()) {
            return NONE;
        }
        if (words.indexOf('*') >= 0) {
            return objection(text, "a count of nodes with a feature");
        }
        if (words.startsWith("[") && words.endsWith("]") && words.indexOf('[', 1) < 0 && nodes == 1) {
            // On one node the same choice for all nodes is a choice.
            words = words.substring(1, words.length() - 1);
        }
        if (words.indexOf('[') >= 0) {
            return objection(text, "one choice for all nodes in brackets");
        }
        TreeSet<String> features = new TreeSet<>();
        List<String> factors = split(words, '&');
        for (String factor : factors) {
            Optional<String> choice = choice(factor, factors.size() == 1);
            if (choice.isEmpty()) {
                return objection(text, "a choice beside other features without parentheses");
            }
            if (!choice.get().isEmpty()) {
                features.add(choice.get());
            }
        }
        return new FeatureExpression(List.copyOf(features), null);
    }

    private static FeatureExpression objection(String text, String what) {
        return new FeatureExpression(List.of(), "Weir does not know " + what + ": -C " + text);
    }

    /** Returns a choice without its parentheses; empty when it is none. */
    private static Optional<String> choice(String factor, boolean alone) {
        boolean inParentheses = factor.startsWith("(") && factor.endsWith(")");
        String inner = inParentheses ? factor.substring(1, factor.length() - 1) : factor;
        boolean chooses = inner.indexOf('|') >= 0;
        if (inner.indexOf('(') >= 0 || inner.indexOf(')') >= 0 || inner.indexOf('&') >= 0) {
            return Optional.empty();
        }
        return chooses && !inParentheses && !alone ? Optional.empty() : Optional.of(inner);
    }

    /** Splits where {@code separator} stands outside of parentheses. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == separator && depth == 0) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
