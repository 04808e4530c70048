package io.weir.scheduler.core.policy.language;

import io.weir.schemas.NameValue;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines added to the configuration at run time. They stand behind the text of the policy version, each under a marker
 * that tells them from it. Immutable.
 */
public record RuntimeSettings(List<Line> lines) {
    private static final String FILE = "run time";
    private static final String PERSISTENT_FILE = "run time, persistent";

    /** No lines. */
    public static final RuntimeSettings NONE = new RuntimeSettings(List.of());

    public RuntimeSettings {
        lines = List.copyOf(lines);
    }

    /**
     * A line.
     *
     * @param text the setting
     * @param persistent whether it outlives the policy version
     */
    public record Line(String text, boolean persistent) {}

    /** Returns the lines that an iteration says were in force. */
    public static RuntimeSettings from(List<NameValue> records) {
        return new RuntimeSettings(records.stream()
                .map(record -> new Line(record.getValue(), record.getName().equals(PERSISTENT_FILE)))
                .toList());
    }

    /** Returns the lines as the record of an iteration has them: where they stand, and what they say. */
    public List<NameValue> toRecords() {
        return lines.isEmpty()
                ? List.of()
                : lines.stream()
                        .map(line -> new NameValue(line.persistent() ? PERSISTENT_FILE : FILE, line.text()))
                        .toList();
    }

    /** Takes the lines off a text that {@link #appendedTo} made. */
    public static RuntimeSettings of(String text) {
        List<Line> lines = new ArrayList<>();
        int begin = begin(text);
        String[] raw = begin < 0 ? new String[0] : text.substring(begin).split("\n", -1);
        for (int i = 0; i + 1 < raw.length; i += 2) {
            lines.add(new Line(raw[i + 1], raw[i].endsWith("\"" + PERSISTENT_FILE + "\"")));
        }
        return new RuntimeSettings(lines);
    }

    /** Returns the text of the version alone. */
    public static String versionText(String text) {
        int begin = begin(text);
        return begin < 0 ? text : text.substring(0, begin);
    }

    private static int begin(String text) {
        int first = -1;
        for (String file : List.of(FILE, PERSISTENT_FILE)) {
            int at = text.indexOf("\n" + PolicyLine.marker(file, 1) + "\n");
            if (at >= 0 && (first < 0 || at + 1 < first)) {
                first = at + 1;
            }
        }
        return first;
    }

    /**
     * Returns these lines with one more, which takes the place of those that mean nothing any more behind it: the same
     * parameter with the same index, or attributes of the same object that it sets anew. What is persistent stays where the
     * new line is not. Where that is the line there is already, these lines are returned.
     */
    public RuntimeSettings with(String text, boolean persistent) {
        Line line = new Line(text, persistent);
        LineTarget target = LineTarget.of(text);
        List<Line> more = new ArrayList<>();
        int place = -1;
        Line lastThere = null;
        for (Line before : lines) {
            LineTarget old = LineTarget.of(before.text());
            boolean meets = target != null && old != null && target.meets(old);
            boolean covered = target != null && old != null && target.covers(old);
            lastThere = meets ? before : lastThere;
            if (covered && (persistent || !before.persistent())) {
                place = more.size();
            } else {
                more.add(before);
                place = meets ? -1 : place;
            }
        }
        if (line.equals(lastThere)) {
            return this;
        }
        more.add(place < 0 ? more.size() : place, line);
        return new RuntimeSettings(more);
    }

    /** Returns these lines without those that a later one repeats word for word, if that is {@code text}. */
    public RuntimeSettings withoutRepetition(String text, boolean persistent) {
        Line line = new Line(text, persistent);
        int last = lines.lastIndexOf(line);
        List<Line> fewer = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (i == last || !lines.get(i).equals(line)) {
                fewer.add(lines.get(i));
            }
        }
        return new RuntimeSettings(fewer);
    }

    /** Returns the lines that outlive a policy version. */
    public RuntimeSettings persistentOnly() {
        return new RuntimeSettings(lines.stream().filter(Line::persistent).toList());
    }

    /** Returns where problems of a line are, the last of those that say the same. */
    public Origin origin(String text, boolean persistent) {
        return new Origin(persistent ? PERSISTENT_FILE : FILE, lines.lastIndexOf(new Line(text, persistent)) + 1);
    }

    /** Returns {@code version} with these lines behind it. */
    public String appendedTo(String version) {
        if (lines.isEmpty()) {
            return version;
        }
        StringBuilder text = new StringBuilder(version);
        if (text.length() == 0 || text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            text.append(PolicyLine.marker(line.persistent() ? PERSISTENT_FILE : FILE, i + 1))
                    .append('\n')
                    .append(line.text())
                    .append('\n');
        }
        return text.toString();
    }
}
