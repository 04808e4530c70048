package io.weir.command.nonstop;

import io.weir.command.terminal.BadInputException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of nodes as they are typed: {@code n7,rack[01-03,9]}. */
final class NodeNames {
    /** Nodes that the service takes in one request. */
    private static final int MOST = 1_000;

    private static final Pattern NAME =
            Pattern.compile("[^\\[\\],\\s]+|([^\\[\\],\\s]*)\\[([0-9,-]+)\\]([^\\[\\],\\s]*)");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

    private NodeNames() {}

    /**
     * Returns the names in the order typed, each once.
     *
     * @throws BadInputException when the text cannot be understood or names too many
     */
    static List<String> of(String text) {
        Set<String> names = new LinkedHashSet<>();
        for (String part : parts(text)) {
            Matcher form = NAME.matcher(part);
            if (!form.matches()) {
                throw illegal(text);
            } else if (form.group(2) == null) {
                names.add(part);
            } else {
                for (String range : form.group(2).split(",", -1)) {
                    numbers(range, text).forEach(number -> names.add(form.group(1) + number + form.group(3)));
                }
            }
            if (names.size() > MOST) {
                throw new BadInputException("'" + text + "' names more than " + MOST + " nodes");
            }
        }
        if (names.isEmpty()) {
            throw illegal(text);
        }
        return List.copyOf(names);
    }

    /** Takes a text apart at its commas, those within brackets excepted. */
    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        boolean within = false;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            within = c == '[' || (within && c != ']');
            if (i == text.length() || (c == ',' && !within)) {
                String part = text.substring(from, i).strip();
                if (!part.isEmpty()) {
                    parts.add(part);
                }
                from = i + 1;
            }
        }
        return parts;
    }

    /** Returns the numbers of a range, as wide as the first is typed. */
    private static List<String> numbers(String range, String text) {
        Matcher form = RANGE.matcher(range);
        if (!form.matches()) {
            throw illegal(text);
        }
        String first = form.group(1);
        int from = Integer.parseInt(first);
        int to = form.group(2) == null ? from : Integer.parseInt(form.group(2));
        if (to < from || to - from >= MOST) {
            throw illegal(text);
        }
        List<String> numbers = new ArrayList<>();
        for (int number = from; number <= to; number++) {
            String digits = Integer.toString(number);
            numbers.add("0".repeat(Math.max(0, first.length() - digits.length())) + digits);
        }
        return numbers;
    }

    private static BadInputException illegal(String text) {
        return new BadInputException("'" + text
                + "' names no nodes; NODE,NODE,... is needed, in which PREFIX[FROM-TO,...] stands for up to " + MOST);
    }
}
