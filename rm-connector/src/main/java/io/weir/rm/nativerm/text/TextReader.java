package io.weir.rm.nativerm.text;

import io.weir.rm.nativerm.text.LineScanner.Pair;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts about objects of one kind and merges what they say, text after text: a later line about the same id adds to
 * an earlier one, and where both give an attribute the later wins. A pair that cannot be read is left out and leaves an
 * earlier value alone; a line of which nothing can be read makes no object unless it was known before. Never throws on any text. One thread.
 */
public final class TextReader {
    private static final int LONGEST_LINE = 1_000_000;

    private final Vocabulary vocabulary;
    private final Problems problems;
    private final Set<String> known;
    private final Map<String, TextObject> objects = new LinkedHashMap<>();

    /**
     * What a text held.
     *
     * @param lines lines that are neither empty nor comments
     * @param understood lines that were about an object
     */
    public record Reading(int lines, int understood) {}

    /** Creates a reader for objects with the attributes of {@code vocabulary}, of which none was known before. */
    public TextReader(Vocabulary vocabulary, Problems problems) {
        this(vocabulary, problems, Set.of());
    }

    /**
     * Creates a reader for objects with the attributes of {@code vocabulary}.
     *
     * @param known ids of objects of which a line says at least that they are still there, even if nothing of it can be read
     */
    public TextReader(Vocabulary vocabulary, Problems problems, Set<String> known) {
        this.vocabulary = vocabulary;
        this.problems = problems;
        this.known = known;
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
        List<String> strays = new ArrayList<>();
        LineScanner scanner = new LineScanner(line, strays::add);
        @Nullable String id = scanner.id();
        if (id == null) {
            strays.forEach(problem -> problems.add(source, number, problem));
            return false;
        }
        long before = problems.count();
        TextObject read = new TextObject(id);
        @Nullable TextAttribute<?> last = null;
        @Nullable Pair pair;
        do {
            pair = scanner.next();
            for (String problem : strays) {
                problems.add(source, number, problem);
                read.addStray(last, problem);
            }
            strays.clear();
            last = pair == null ? last : put(source, number, read, pair);
        } while (pair != null);
        if (last != null && read.isUnreadable(last)) {
            // The line may have been cut off there.
            read.setIncomplete();
        }
        if (!read.hasData() && problems.count() > before) {
            problems.add(source, number, id + ": nothing of the line can be read");
            if (!known.contains(id)) {
                return false;
            }
        }
        @Nullable TextObject earlier = objects.get(id);
        if (earlier != null) {
            earlier.merge(read);
        } else if (admit) {
            objects.put(id, read);
        } else {
            problems.add(source, number, id + ": the resource manager itself does not list it");
        }
        return true;
    }

    /** Takes over a pair and returns what it is about; null where that cannot be told. */
    private @Nullable TextAttribute<?> put(String source, int number, TextObject object, Pair pair) {
        @Nullable TextAttribute<?> attribute = vocabulary.find(pair.name());
        if (attribute == null) {
            @Nullable String closest = vocabulary.closest(pair.name());
            problems.add(
                    source,
                    number,
                    object.id() + " " + LineScanner.shortened(pair.name()) + ": unknown attribute"
                            + (closest == null ? "" : ", did you mean " + closest + "?"));
            return null;
        }
        if (pair.value().isEmpty()) {
            return attribute;
        }
        try {
            checkPrintable(pair);
            object.put(attribute, pair.index(), pair.value());
        } catch (MalformedValueException e) {
            String index = pair.index().isEmpty() ? "" : "[" + LineScanner.shortened(pair.index()) + "]";
            String problem =
                    attribute + index + "=" + LineScanner.shortened(pair.value().text()) + ": " + e.getMessage();
            object.addUnread(attribute, problem);
            problems.add(source, number, object.id() + " " + problem);
        }
        return attribute;
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
