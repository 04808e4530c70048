package io.weir.scheduler.core.trigger.action;

import java.util.ArrayList;
import java.util.List;

/**
 * AType exec: a program and its arguments, divided at blanks; what stands in single quotes stays together. Immutable.
 *
 * @param program absolute path
 * @param arguments arguments, variables as written
 */
public record ProgramWords(String program, List<String> arguments) {
    private static final int MOST_ARGUMENTS = 64;

    public ProgramWords {
        arguments = List.copyOf(arguments);
    }

    /** Reads {@code action}. */
    public static ProgramWords read(String action) throws UnfitActionException {
        List<String> words = words(action);
        if (words.isEmpty()
                || words.size() > MOST_ARGUMENTS + 1
                || !words.get(0).startsWith("/")) {
            throw new UnfitActionException("exec is '" + action + "', " + words.size()
                    + " words; the absolute path of a program and up to " + MOST_ARGUMENTS + " arguments are needed");
        }
        return new ProgramWords(words.get(0), words.subList(1, words.size()));
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        boolean any = false;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ' ' : text.charAt(i);
            if (c == '\'' && i < text.length()) {
                quoted = !quoted;
                any = true;
            } else if (c == ' ' && (!quoted || i == text.length())) {
                if (any) {
                    words.add(word.toString());
                }
                word.setLength(0);
                any = false;
            } else {
                word.append(c);
                any = true;
            }
        }
        return words;
    }
}
