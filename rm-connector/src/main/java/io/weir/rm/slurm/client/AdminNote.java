package io.weir.rm.slurm.client;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Weir's memory on the job itself, in the administrator's comment, where no user can write: the last command of each kind,
 * with the number of restarts the job had at that moment. What others wrote there is kept. Immutable.
 *
 * <pre>free text of others [weir start=c/12/0@0 hold=c/15/2@0]</pre>
 *
 * @param others what is not Weir's
 * @param marks Weir's words
 */
public record AdminNote(String others, Map<String, String> marks) {
    /** The last start that was begun. */
    public static final String START = "start";
    /** The last start that was undone, for Slurm did not begin the job in time. */
    public static final String UNDONE = "undone";
    /** The last requeue. */
    public static final String REQUEUE = "requeue";
    /** The hold that is in effect. */
    public static final String HOLD = "hold";
    /** The last release. */
    public static final String RELEASE = "release";

    private static final Pattern BLOCK = Pattern.compile(" ?\\[weir([^\\]]*)\\]");

    /**
     * A command that was begun.
     *
     * @param commandId its id
     * @param restarts restarts of the job at that moment
     */
    public record Mark(String commandId, int restarts) {}

    static AdminNote parse(String comment) {
        Matcher block = BLOCK.matcher(comment);
        if (!block.find()) {
            return new AdminNote(comment, Map.of());
        }
        Map<String, String> marks = new LinkedHashMap<>();
        for (String word : block.group(1).split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                marks.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        String others = comment.substring(0, block.start()) + comment.substring(block.end());
        return new AdminNote(others, marks);
    }

    /** Returns the mark of that kind, if there is a readable one. */
    public Optional<Mark> mark(String kind) {
        @Nullable String value = marks.get(kind);
        int at = value == null ? -1 : value.lastIndexOf('@');
        if (value == null || at < 0 || !value.substring(at + 1).matches("\\d{1,9}")) {
            return Optional.empty();
        }
        return Optional.of(new Mark(
                URLDecoder.decode(value.substring(0, at), StandardCharsets.UTF_8),
                Integer.parseInt(value.substring(at + 1))));
    }

    /** Says whether the last command of that kind is this one. */
    public boolean names(String kind, String commandId) {
        return mark(kind).filter(mark -> mark.commandId().equals(commandId)).isPresent();
    }

    public AdminNote with(String kind, String commandId, int restarts) {
        Map<String, String> changed = new LinkedHashMap<>(marks);
        changed.remove(kind);
        // A slash is the usual separator of ids and stays readable.
        String encoded = URLEncoder.encode(commandId, StandardCharsets.UTF_8).replace("%2F", "/");
        changed.put(kind, encoded + "@" + restarts);
        return new AdminNote(others, changed);
    }

    public AdminNote without(String kind) {
        Map<String, String> changed = new LinkedHashMap<>(marks);
        changed.remove(kind);
        return new AdminNote(others, changed);
    }

    /** Returns the whole comment. */
    public String text() {
        if (marks.isEmpty()) {
            return others;
        }
        StringBuilder text = new StringBuilder(others).append(others.isEmpty() ? "[weir" : " [weir");
        marks.forEach((kind, value) -> text.append(' ').append(kind).append('=').append(value));
        return text.append(']').toString();
    }
}
