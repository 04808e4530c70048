package io.weir.rm.slurm.client;

import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job as squeue lists it: enough to see whether it changed since the listing before, and whether it runs. Slurm passes on
 * line breaks and any other character in what users write, so each job begins with a mark that is new for each listing and that
 * no user knows, and what is read alone comes before what users write. Immutable.
 *
 * @param text all that is told of it; equal texts mean an unchanged job
 * @param number of the job's record; tasks of an array that have none share that of their array
 * @param id name under which users know it: a number, {@code 12_3} for a task of an array, {@code 12+1} for another than the
 *     first component of a heterogeneous job
 * @param array number of the array; 0 for a job of its own
 * @param task number in the array
 * @param priority 0 while the job is held
 * @param started when it began to run, or is expected to
 * @param ended when it ended, or will have reached its limit
 * @param nodes a list of hosts as Slurm writes it; empty for none
 * @param hadNodes whether it has or had nodes
 * @param procs processors that it has, or asks for
 * @param terms what stays as it is while a job takes its course: submission, limits, owner, resources, name
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
        @Nullable Instant ended,
        String nodes,
        boolean hadNodes,
        int procs,
        String terms) {
    private static final char SEPARATOR = '\u001f';

    /**
     * What squeue tells of a job. From the time of submission on the fields stay as they are while a job takes its course, unless
     * somebody changes what it asks for; a start writes the nodes wanted. The place of a field in a line is its place here; from the
     * account on they may hold anything, separators too.
     */
    @SuppressWarnings("EnumOrdinal")
    private enum Field {
        NUMBER("%A"),
        ARRAY("%F"),
        TASK("%K"),
        COMPONENT("%i"),
        STATE("%T"),
        REASON("%r"),
        PRIORITY("%Q"),
        STARTED("%S"),
        NODES("%N"),
        ENDED("%e"),
        NODES_WANTED("%n"),
        RESERVATION("%v"),
        SUBMITTED("%V"),
        LIMIT("%l"),
        PROCS("%C"),
        NODE_COUNT("%D"),
        PARTITION("%P"),
        NICE("%y"),
        USER("%u"),
        ACCOUNT("%a"),
        QOS("%q"),
        FEATURES("%f"),
        NODES_EXCLUDED("%x"),
        MEMORY("%m"),
        DISK("%d"),
        PROCS_PER_NODE("%c"),
        GENERIC_RESOURCES("%b"),
        LICENCES("%W"),
        OVERSUBSCRIBED("%h"),
        SOCKETS_CORES_THREADS("%z"),
        DEPENDENCY("%E"),
        NAME("%j"),
        COMMENT("%k");

        private final String code;

        Field(String code) {
            this.code = code;
        }

        private String of(String[] fields) {
            return fields[ordinal()];
        }

        private void blank(List<String> fields) {
            fields.set(ordinal(), "");
        }

        /** Returns this field and those behind it. */
        private List<String> on(String[] fields) {
            return Arrays.asList(fields).subList(ordinal(), fields.length);
        }
    }

    private static final int ALL = Field.values().length;

    private static final int MARK_BYTES = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns a mark for one listing, which nobody can guess. */
    static String newMark() {
        byte[] bytes = new byte[MARK_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns what to ask squeue for, so that each job begins with {@code mark}. */
    public static String format(String mark) {
        return Stream.concat(Stream.of(mark), Stream.of(Field.values()).map(field -> field.code))
                .collect(Collectors.joining(String.valueOf(SEPARATOR)));
    }

    /**
     * Returns the jobs by id, in the order of the listing. Text that does not begin with the mark belongs to the job before it.
     *
     * @param listing what squeue said to {@link #format}
     */
    public static Map<String, QueueLine> parse(String mark, String listing) {
        String start = mark + SEPARATOR;
        Map<String, QueueLine> lines = new LinkedHashMap<>();
        int from = listing.startsWith(start) ? 0 : next(listing, start, 0);
        while (from < listing.length()) {
            int next = next(listing, start, from);
            int end = listing.charAt(next - 1) == '\n' ? next - 1 : next;
            String text = listing.substring(from + start.length(), end);
            String[] fields = text.split(String.valueOf(SEPARATOR), ALL);
            if (fields.length == ALL && isNumber(Field.NUMBER.of(fields))) {
                QueueLine line = of(text, fields);
                lines.putIfAbsent(line.id(), line);
            }
            from = next;
        }
        return lines;
    }

    /** Returns where the next line begins with {@code start}; the end of the listing for none. */
    private static int next(String listing, String start, int from) {
        int at = listing.indexOf('\n' + start, from);
        return at < 0 ? listing.length() : at + 1;
    }

    private static QueueLine of(String text, String[] fields) {
        String array = Field.ARRAY.of(fields);
        String number = Field.TASK.of(fields);
        boolean task = isNumber(array) && isNumber(number);
        String state = Field.STATE.of(fields);
        String priority = Field.PRIORITY.of(fields);
        String nodes = Field.NODES.of(fields).strip();
        String procs = Field.PROCS.of(fields);
        return new QueueLine(
                text,
                Field.NUMBER.of(fields),
                task ? array + "_" + number : id(Field.NUMBER.of(fields), Field.COMPONENT.of(fields)),
                task ? Long.parseLong(array) : 0,
                task ? Long.parseLong(number) : 0,
                state,
                Field.REASON.of(fields),
                isNumber(priority) ? Long.parseLong(priority) : 0,
                instant(Field.STARTED.of(fields)),
                instant(Field.ENDED.of(fields)),
                nodes,
                !nodes.isEmpty() || state.equals(SlurmJob.COMPLETING),
                procs.matches("\\d{1,9}") ? Integer.parseInt(procs) : 0,
                String.join(String.valueOf(SEPARATOR), Field.SUBMITTED.on(fields)));
    }

    private static String id(String number, String name) {
        @Nullable JobComponent component = JobComponent.parse(name);
        return component == null ? number : component.key();
    }

    /**
     * Says whether all that is told anew of a waiting job is that the instant has passed at which it was expected to start. Slurm
     * expects a held job to start five seconds after its submission.
     */
    public boolean onlyMissedStart(QueueLine before, Instant now) {
        return state.equals("PENDING")
                && started == null
                && before.started != null
                && !before.started.isAfter(now)
                && withoutTimes().equals(before.withoutTimes());
    }

    private List<String> withoutTimes() {
        List<String> fields = new ArrayList<>(List.of(text.split(String.valueOf(SEPARATOR), ALL)));
        Field.STARTED.blank(fields);
        Field.ENDED.blank(fields);
        return fields;
    }

    /** Says whether another line tells the same. */
    public boolean isSameAs(@Nullable QueueLine other) {
        return other != null && text.equals(other.text);
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
