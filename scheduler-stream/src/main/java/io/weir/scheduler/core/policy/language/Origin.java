package io.weir.scheduler.core.policy.language;

/**
 * Where a setting stands.
 *
 * @param file file it was written in; empty for a text that came without a file name
 * @param line number of the line it begins on, from 1
 */
public record Origin(String file, int line) implements Comparable<Origin> {
    /** File of the failure service, which has a language of its own. */
    public static final String NONSTOP_FILE = "nonstop.conf";

    @Override
    public int compareTo(Origin other) {
        int order = file.compareTo(other.file);
        return order == 0 ? Integer.compare(line, other.line) : order;
    }

    @Override
    public String toString() {
        return file.isEmpty() ? "line " + line : file + ":" + line;
    }
}
