package io.weir.trace;

import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * A trace in the Standard Workload Format (D. G. Feitelson et al., Parallel Workloads Archive), plain or gzip, read for
 * a machine of a given number of processors.
 *
 * <p>The job view: processors are field 8 when positive, else field 5; the estimate is field 9 when positive, else the
 * run time; run time 0 counts as 1. Jobs without processors, with more than the machine has, or with a negative run time
 * are left out. Missing trailing fields count as -1, fractions are cut off. Jobs that could not be over before 2100, were
 * submitted before 1970, or have a limit of more than a century cannot be scheduled and count as problems.
 *
 * @param start value of the header field UnixStartTime, epoch seconds; 946684800 (2000-01-01) when there is none
 * @param jobs usable jobs in queue order: by submit time, then by position in the file
 * @param leftOut how many lines named a job that is not usable on this machine
 * @param problems lines that could not be read, each with its number and the reason
 */
public record SwfTrace(long start, List<TraceJob> jobs, int leftOut, List<String> problems) {
    private static final long DEFAULT_START = 946_684_800L;
    private static final int FEWEST_FIELDS = 5;

    /** Fields of a complete line. */
    private static final int FIELDS = 18;

    /** The last place of a digit in a number that is certainly within bounds. */
    private static final int LAST_DIGIT = 10;

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+(\\.[0-9]*)?([eE][+-]?[0-9]{1,3})?");
    private static final int LONGEST_SHOWN = 120;

    /** Begin of a UTF-8 text, read as Latin-1, as some editors write it. */
    private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

    /** No time, number or amount in a trace lies beyond; a century is 3.2e9 seconds. */
    private static final long LARGEST = 100_000_000_000L;

    public SwfTrace {
        jobs = List.copyOf(jobs);
        problems = List.copyOf(problems);
    }

    /** Reads {@code file} for a machine of {@code processors} processors. */
    public static SwfTrace read(Path file, int processors) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return read(in, processors);
        }
    }

    /** Reads a trace from {@code in}, which is left open; gzip is recognised by its first bytes. */
    public static SwfTrace read(InputStream in, int processors) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(unzipped(in), StandardCharsets.ISO_8859_1), 1 << 16);
        Reading reading = new Reading(processors);
        String line;
        while ((line = lines.readLine()) != null) {
            reading.line((reading.lineNumber == 0 ? withoutMark(line) : line).strip());
        }
        reading.jobs.sort(Comparator.comparingLong(TraceJob::submit).thenComparingLong(TraceJob::sequence));
        return new SwfTrace(reading.start, reading.jobs, reading.leftOut, reading.problems);
    }

    /** Returns {@code count} usable jobs from position {@code from} (0 is the first) on, or as many as there are. */
    public List<TraceJob> window(int from, int count) {
        int first = Math.min(from, jobs.size());
        return jobs.subList(first, (int) Math.min((long) first + count, jobs.size()));
    }

    private static String withoutMark(String line) {
        return line.startsWith(BYTE_ORDER_MARK) ? line.substring(BYTE_ORDER_MARK.length()) : line;
    }

    private static InputStream unzipped(InputStream in) throws IOException {
        InputStream buffered = in.markSupported() ? in : new BufferedInputStream(in);
        buffered.mark(2);
        int first = buffered.read();
        int second = buffered.read();
        buffered.reset();
        return first == 0x1f && second == 0x8b ? new GZIPInputStream(buffered, 1 << 16) : buffered;
    }

    /** The state of one pass over the file. */
    private static final class Reading {
        private final int processors;
        private final List<TraceJob> jobs = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();
        private final Map<Long, Integer> seen = new LinkedHashMap<>();
        private long start = DEFAULT_START;
        private int leftOut;
        private int lineNumber;

        Reading(int processors) {
            this.processors = processors;
        }

        void line(String line) {
            lineNumber++;
            if (line.isEmpty()) {
                return;
            }
            if (line.charAt(0) == ';') {
                header(line);
                return;
            }
            List<String> fields = fields(line);
            if (fields.size() < FEWEST_FIELDS) {
                problems.add("line " + lineNumber + ": " + fields.size() + " fields, a job needs at least "
                        + FEWEST_FIELDS + ": " + shown(line));
                return;
            }
            try {
                job(fields);
            } catch (NumberFormatException e) {
                problems.add("line " + lineNumber + ": " + e.getMessage() + ": " + shown(line));
            }
        }

        private void header(String line) {
            String text = line.substring(1).strip();
            if (text.startsWith("UnixStartTime:")) {
                try {
                    long value =
                            number(text.substring("UnixStartTime:".length()).strip());
                    start = value > 0 ? value : DEFAULT_START;
                } catch (NumberFormatException e) {
                    problems.add("line " + lineNumber + ": UnixStartTime: " + e.getMessage() + ": " + shown(line));
                }
            }
        }

        /** Returns what stands between blanks in {@code line}, which neither begins nor ends in one. */
        private static List<String> fields(String line) {
            List<String> fields = new ArrayList<>(FIELDS);
            int start = 0;
            for (int i = 0; i <= line.length(); i++) {
                if (i == line.length() || isBlank(line.charAt(i))) {
                    if (start < i) {
                        fields.add(line.substring(start, i));
                    }
                    start = i + 1;
                }
            }
            return fields;
        }

        private static boolean isBlank(char c) {
            return c == ' ' || (c >= '\t' && c <= '\r');
        }

        private void job(List<String> fields) {
            long number = field(fields, 1);
            long run = field(fields, 4);
            long requested = field(fields, 8);
            long procs = requested > 0 ? requested : field(fields, 5);
            if (procs <= 0 || procs > processors || run < 0) {
                leftOut++;
                return;
            }
            long usedRun = Math.max(run, 1);
            long limit = field(fields, 9) > 0 ? field(fields, 9) : usedRun;
            long submit = field(fields, 2);
            requireSchedulable(submit, limit);
            jobs.add(new TraceJob(
                    id(number),
                    number,
                    jobs.size(),
                    submit,
                    (int) procs,
                    limit,
                    usedRun,
                    field(fields, 12),
                    field(fields, 13),
                    field(fields, 15)));
        }

        /** Makes sure that a job can be reported as any other is, and can be over in time for it. */
        private void requireSchedulable(long submit, long limit) {
            if (limit > Limit.SECONDS) {
                throw new NumberFormatException("limit of " + limit + " s; at most " + Limit.SECONDS + " are allowed");
            }
            Instant submitted = Instant.ofEpochSecond(start + submit);
            if (submitted.isBefore(Bound.Moment.EARLIEST)) {
                throw new NumberFormatException("submitted at " + submitted + ", before 1970");
            }
            if (!submitted.plusSeconds(limit).isBefore(Bound.Moment.END)) {
                throw new NumberFormatException(
                        "submitted at " + submitted + " for " + limit + " s; it has to be over before 2100");
            }
        }

        private String id(long number) {
            int occurrence = seen.merge(number, 1, Integer::sum);
            return occurrence == 1 ? Long.toString(number) : number + "." + occurrence;
        }

        private static long field(List<String> fields, int position) {
            return position <= fields.size() ? number(fields.get(position - 1)) : -1;
        }

        private static long number(String text) {
            int first = text.startsWith("-") ? 1 : 0;
            long whole = 0;
            for (int i = first; i < text.length(); i++) {
                char digit = text.charAt(i);
                if (digit < '0' || digit > '9' || i > LAST_DIGIT) {
                    return written(text);
                }
                whole = 10 * whole + digit - '0';
            }
            return text.length() == first ? written(text) : first == 0 ? whole : -whole;
        }

        /** Returns the number that is written in another way than as a few digits. */
        private static long written(String text) {
            if (!NUMBER.matcher(text).matches()) {
                throw new NumberFormatException("not a number ('" + shown(text) + "')");
            }
            double number = Double.parseDouble(text);
            if (!(Math.abs(number) <= LARGEST)) {
                throw new NumberFormatException("beyond " + LARGEST + " ('" + shown(text) + "')");
            }
            return (long) number;
        }

        /** Returns {@code text} as it can be shown on a terminal: short and without control characters. */
        private static String shown(String text) {
            String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
            return printable.length() > LONGEST_SHOWN ? printable.substring(0, LONGEST_SHOWN) + "..." : printable;
        }
    }
}
