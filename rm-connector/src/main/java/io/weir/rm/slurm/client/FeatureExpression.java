package io.weir.rm.slurm.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The features of {@code sbatch -C}: {@code a&b}, {@code a|b}, and choices in parentheses, {@code a&(b|c)}. In Weir's words all
 * of a list have to hold, and an element may be a choice, {@code b|c}; of a choice for all nodes, {@code [a|b]}, one holds for all of
 * them. What has no such form is told in a sentence: counts ({@code a*2}), several choices for all nodes, {@code |} beside
 * {@code &} without parentheses. Immutable.
 *
 * @param features features that all have to hold, sorted
 * @param oneOf features of which the same one holds on all nodes, in the order given; empty for no such choice
 * @param objection what cannot be; null when everything can
 */
public record FeatureExpression(
        List<String> features, List<String> oneOf, @Nullable String objection) {
    /** Asks for nothing. */
    public static final FeatureExpression NONE = new FeatureExpression(List.of(), List.of(), null);

    /** What cannot stand in a choice for all nodes: other operators, and what ends the name of a node set. */
    private static final Pattern NO_CHOICE = Pattern.compile("[\\[\\]()&:,;=\\s]|^\\||\\|$|\\|\\|");

    /** Reads an expression; {@code nodes} is how many nodes the job runs on at most, 0 for any number. */
    public static FeatureExpression parse(String text, int nodes) {
        String words = text.replace(',', '&').replace(" ", "");
        if (words.isEmpty()) {
            return NONE;
        }
        if (words.indexOf('*') >= 0) {
            return objection(text, "a count of nodes with a feature");
        }
        TreeSet<String> features = new TreeSet<>();
        List<String> oneOf = List.of();
        List<String> factors = split(words, '&');
        for (String factor : factors) {
            if (factor.startsWith("[") && factor.endsWith("]")) {
                String inner = factor.substring(1, factor.length() - 1);
                if (!oneOf.isEmpty()
                        || inner.isEmpty()
                        || NO_CHOICE.matcher(inner).find()) {
                    return objection(text, "such a choice for all nodes in brackets");
                }
                oneOf = List.of(inner.split("\\|", -1));
                continue;
            }
            if (factor.indexOf('[') >= 0) {
                return objection(text, "such a choice for all nodes in brackets");
            }
            Optional<String> choice = choice(factor, factors.size() == 1);
            if (choice.isEmpty()) {
                return objection(text, "a choice beside other features without parentheses");
            }
            if (!choice.get().isEmpty()) {
                features.add(choice.get());
            }
        }
        if (nodes == 1 && !oneOf.isEmpty()) {
            // On one node the same choice for all nodes is a choice.
            features.add(String.join("|", oneOf));
            oneOf = List.of();
        }
        return new FeatureExpression(List.copyOf(features), oneOf, null);
    }

    private static FeatureExpression objection(String text, String what) {
        return new FeatureExpression(List.of(), List.of(), "Weir does not know " + what + ": -C " + text);
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
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            if (c == separator && depth == 0) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
