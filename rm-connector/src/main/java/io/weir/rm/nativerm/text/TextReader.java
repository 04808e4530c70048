package io.weir.rm.nativerm.text;

import io.weir.rm.nativerm.text.LineScanner.Pair;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts about objects of one kind and merges what they say, text after text: a later line about the same id adds to
 * an earlier one, and where both give an attribute the later wins. A pair that cannot be read is left out and leaves an
 * earlier value alone; a line of which nothing can be read makes no object. Never throws on any text. One thread.
 */
public final class TextReader {
    private static final int LONGEST_LINE = 1_000_000;

    private final Vocabulary vocabulary;
    private final Problems problems;
    private final Map<String, TextObject> objects = new LinkedHashMap<>();

    /**
     * What a text held.
     *
     * @param lines lines that are neither empty nor comments
     * @param understood lines that were about an object
     */
    public record Reading(int lines, int understood) {}

    /** Creates a reader for objects with the attributes of {@code vocabulary}. */
    public TextReader(Vocabulary vocabulary, Problems problems) {
        this.vocabulary = vocabulary;
        this.problems = problems;
    }

    /**
     * Reads {@code text} on top of what was read before.
     *
     * @param source what to call the text in problems
     */
    public Reading read(String source, String text) {
        return read(source, text, true);
    }

    /** Reads {@code text}, but takes only what it says about objects that earlier texts named. */
    public Reading readAbout(String source, String text) {
        return read(source, text, false);
    }

    private Reading read(String source, String text, boolean admit) {
        int lines = 0;
        int understood = 0;
        int number = 0;
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            int to = end < 0 ? text.length() : end;
            number++;
            String line = text.substring(from, to);
            if (!line.isBlank() && line.stripLeading().charAt(0) != '#') {
                lines++;
                understood += line(source, number, line, admit) ? 1 : 0;
            }
            from = to + 1;
        }
        return new Reading(lines, understood);
    }

    /** Returns the objects, in the order in which their ids appeared. */
    public Collection<TextObject> objects() {
        return objects.values();
    }

    private boolean line(String source, int number, String line, boolean admit) {
        if (line.length() > LONGEST_LINE) {
            problems.add(source, number, "line of " + line.length() + " characters, the longest is " + LONGEST_LINE);
            return false;
        }
        LineScanner scanner = new LineScanner(line, problem -> problems.add(source, number, problem));
        @Nullable String id = scanner.id();
        if (id == null) {
            return false;
        }
        long before = problems.count();
        TextObject read = new TextObject(id);
        for (@Nullable Pair pair = scanner.next(); pair != null; pair = scanner.next()) {
            put(source, number, read, pair);
        }
        if (!read.hasData() && problems.count() > before) {
            problems.add(source, number, id + ": nothing of the line can be read");
            return false;
        }
        @Nullable TextObject known = objects.get(id);
        if (known != null) {
            known.merge(read);
        } else if (admit) {
            objects.put(id, read);
        } else {
            problems.add(source, number, id + ": the resource manager itself does not list it");
        }
        return true;
    }

    private void put(String source, int number, TextObject object, Pair pair) {
        @Nullable TextAttribute<?> attribute = vocabulary.find(pair.name());
        if (attribute == null) {
            @Nullable String closest = vocabulary.closest(pair.name());
            problems.add(
                    source,
                    number,
                    object.id() + " " + LineScanner.shortened(pair.name()) + ": unknown attribute"
                            + (closest == null ? "" : ", did you mean " + closest + "?"));
            return;
        }
        if (pair.value().isEmpty()) {
            return;
        }
        try {
            checkPrintable(pair);
            object.put(attribute, pair.index(), pair.value());
        } catch (MalformedValueException e) {
            String index = pair.index().isEmpty() ? "" : "[" + LineScanner.shortened(pair.index()) + "]";
            String problem =
                    attribute + index + "=" + LineScanner.shortened(pair.value().text()) + ": " + e.getMessage();
            object.addUnread(problem);
            problems.add(source, number, object.id() + " " + problem);
        }
    }

    private static void checkPrintable(Pair pair) throws MalformedValueException {
        String text = pair.index() + pair.value().text();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((Character.isISOControl(c) && c != '\t') || c == '\uFFFD') {
                throw new MalformedValueException("holds a character that cannot be printed");
            }
        }
    }
}
