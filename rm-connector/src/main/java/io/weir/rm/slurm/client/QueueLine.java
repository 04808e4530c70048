package io.weir.rm.slurm.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as a line of squeue: enough to see whether it changed since the line before, and whether it runs. Fields are
 * separated by a character no user can type into a name unnoticed, and the ones users write come last. Immutable.
 *
 * @param text the whole line; equal lines mean an unchanged job
 * @param priority 0 while the job is held
 * @param started when it began to run, or is expected to
 * @param hadNodes whether it has or had nodes
 */
public record QueueLine(
        String text,
        String id,
        String state,
        String reason,
        long priority,
        @Nullable Instant started,
        boolean hadNodes) {
    private static final char SEPARATOR = '\u001f';

    private static final String[] FIELDS = {
        "%A", "%T", "%r", "%Q", "%S", "%N", "%e", "%V", "%l", "%C", "%D", "%P", "%u", "%a", "%q", "%E", "%j", "%k"
    };

    /** What to ask squeue for. */
    public static final String FORMAT = String.join(String.valueOf(SEPARATOR), FIELDS);

    /** Returns the jobs by id, in the order of the listing. A line that is no job is left out. */
    public static Map<String, QueueLine> parse(String listing) {
        Map<String, QueueLine> lines = new LinkedHashMap<>();
        int from = 0;
        while (from < listing.length()) {
            int end = listing.indexOf('\n', from);
            if (end < 0) {
                end = listing.length();
            }
            String text = listing.substring(from, end);
            String[] fields = text.split(String.valueOf(SEPARATOR), 7);
            if (fields.length == 7 && isNumber(fields[0])) {
                lines.putIfAbsent(
                        fields[0],
                        new QueueLine(
                                text,
                                fields[0],
                                fields[1],
                                fields[2],
                                isNumber(fields[3]) ? Long.parseLong(fields[3]) : 0,
                                instant(fields[4]),
                                !fields[5].isBlank() || fields[1].equals(SlurmJob.COMPLETING)));
            }
            from = end + 1;
        }
        return lines;
    }

    private static boolean isNumber(String text) {
        return text.matches("\\d{1,18}");
    }

    private static @Nullable Instant instant(String text) {
        try {
            return text.startsWith("N/A") ? null : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }
}
