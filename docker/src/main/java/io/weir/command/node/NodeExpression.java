package io.weir.command.node;

import io.weir.command.terminal.BadInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Nodes as a word of the command line means them: a name, {@code ALL} or {@code *}, {@code n[1-3,7]} or {@code r:n1-n3} by
 * number, or else a regular expression, also behind {@code x:}. So that nothing is done to a node that was not meant, an
 * expression describes the whole name, and brackets that can be read in two ways are refused.
 *
 * @param text the word
 * @param meant says which names it means
 */
public record NodeExpression(String text, Predicate<String> meant) {
    private static final String RANGE = "r:";
    private static final String REGULAR = "x:";

    /** What a node's name looks like; any other word is an expression. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /** Several digits in brackets, of which one character is meant in a regular expression. */
    private static final Pattern NUMBERS = Pattern.compile("\\[[0-9,-]*\\d\\d[0-9,-]*\\]");

    private static final Pattern SPAN = Pattern.compile("(.+?)(\\d{1,9})-(.+?)(\\d{1,9})");

    /** Says whether {@code word} is the name of one node, whichever there are. */
    public static boolean isName(String word) {
        return NAME.matcher(word).matches() && !isAll(word);
    }

    /** Returns the words of {@code text}, which are separated by commas outside of brackets. */
    public static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '[' || c == '{' || c == '(') {
                depth++;
            } else if (c == ']' || c == '}' || c == ')') {
                depth--;
            } else if (c == ',' && depth == 0) {
                words.add(text.substring(start, i).trim());
                start = i + 1;
            }
        }
        words.add(text.substring(start).trim());
        return words;
    }

    /**
     * Reads a word.
     *
     * @throws BadInputException saying what is wrong with it and what to write
     */
    public static NodeExpression of(String word) {
        if (word.isEmpty()) {
            throw new BadInputException("An empty word names no node; give names, n[1-20], an expression, or ALL");
        } else if (isAll(word)) {
            return new NodeExpression(word, name -> true);
        } else if (isName(word)) {
            return new NodeExpression(word, word::equals);
        } else if (word.regionMatches(true, 0, RANGE, 0, RANGE.length())) {
            return new NodeExpression(word, range(word.substring(RANGE.length())));
        } else if (word.regionMatches(true, 0, REGULAR, 0, REGULAR.length())) {
            return new NodeExpression(word, regular(word.substring(REGULAR.length())));
        } else if (NumberedNames.isForm(word)) {
            return new NodeExpression(word, NumberedNames.of(word));
        }
        Matcher numbers = NUMBERS.matcher(word);
        if (numbers.find()) {
            throw new BadInputException("'" + word + "' is a regular expression, where " + numbers.group()
                    + " stands for one character; write NAME[A-B] alone for numbers, or x:" + word
                    + " where one character is meant");
        }
        return new NodeExpression(word, regular(word));
    }

    private static boolean isAll(String word) {
        return word.equalsIgnoreCase("ALL") || word.equals("*");
    }

    private static Predicate<String> range(String text) {
        Matcher span = SPAN.matcher(text);
        if (span.matches() && span.group(1).equals(span.group(3)) && isName(span.group(1))) {
            return NumberedNames.of(span.group(1) + "[" + span.group(2) + "-" + span.group(4) + "]");
        } else if (NumberedNames.isForm(text)) {
            return NumberedNames.of(text);
        }
        throw new BadInputException(
                "'" + RANGE + text + "' is no range of names; write r:NAMEa-NAMEb or NAME[a-b], a and b being numbers");
    }

    private static Predicate<String> regular(String text) {
        try {
            return Pattern.compile(text).asMatchPredicate();
        } catch (PatternSyntaxException e) {
            throw new BadInputException("'" + text + "' is no regular expression: " + e.getDescription());
        }
    }
}
