package io.weir.rm.slurm.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as a line of squeue: enough to see whether it changed since the line before, and whether it runs. Fields are
 * separated by a character no user can type into a name unnoticed, and the ones users write come last. Immutable.
 *
 * @param text the whole line; equal lines mean an unchanged job
 * @param number of the job's record; tasks of an array that have none share that of their array
 * @param id name under which users know it: a number, or {@code 12_3} for a task of an array
 * @param array number of the array; 0 for a job of its own
 * @param task number in the array
 * @param priority 0 while the job is held
 * @param started when it began to run, or is expected to
 * @param nodes a list of hosts as Slurm writes it; empty for none
 * @param hadNodes whether it has or had nodes
 * @param procs processors that it has, or asks for
 * @param terms what stays as it is while a job takes its course: submission, limits, owner, name
 */
public record QueueLine(
        String text,
        String number,
        String id,
        long array,
        long task,
        String state,
        String reason,
        long priority,
        @Nullable Instant started,
        String nodes,
        boolean hadNodes,
        int procs,
        String terms) {
    private static final char SEPARATOR = '\u001f';

    private static final String[] FIELDS = {
        "%A", "%F", "%K", "%T", "%r", "%Q", "%S", "%N", "%e", "%V", "%l", "%C", "%D", "%P", "%u", "%a", "%q", "%E",
        "%j", "%k"
    };

    /** The first of the fields that stay as they are. */
    private static final int TERMS = 9;

    private static final int PROCS = 11;

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
            String[] fields = text.split(String.valueOf(SEPARATOR), FIELDS.length);
            if (fields.length == FIELDS.length && isNumber(fields[0])) {
                boolean task = isNumber(fields[1]) && isNumber(fields[2]);
                String id = task ? fields[1] + "_" + fields[2] : fields[0];
                lines.putIfAbsent(
                        id,
                        new QueueLine(
                                text,
                                fields[0],
                                id,
                                task ? Long.parseLong(fields[1]) : 0,
                                task ? Long.parseLong(fields[2]) : 0,
                                fields[3],
                                fields[4],
                                isNumber(fields[5]) ? Long.parseLong(fields[5]) : 0,
                                instant(fields[6]),
                                fields[7].strip(),
                                !fields[7].isBlank() || fields[3].equals(SlurmJob.COMPLETING),
                                fields[PROCS].matches("\\d{1,9}") ? Integer.parseInt(fields[PROCS]) : 0,
                                String.join(
                                        String.valueOf(SEPARATOR),
                                        Arrays.asList(fields).subList(TERMS, fields.length))));
            }
            from = end + 1;
        }
        return lines;
    }

    /** Says whether it is a task of an array that has no record of its own. */
    public boolean hasNoRecord() {
        return array != 0 && number.equals(Long.toString(array)) && state.equals("PENDING");
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
