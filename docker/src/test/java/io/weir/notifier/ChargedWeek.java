package io.weir.notifier;

import io.weir.trace.JobRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A week of a small machine: what is submitted and what fails, and what its own record says became of it. Seconds are those of
 * the trace, which begins at {@link #BEGIN}.
 */
final class ChargedWeek {
    /** Epoch seconds of the trace's beginning. */
    static final long BEGIN = 1_000_000_000;

    static final long HOUR = 3_600;
    static final long DAY = 24 * HOUR;
    static final int NODES = 8;
    static final int PROCS_PER_NODE = 4;
    static final int JOBS = 300;

    private static final int USERS = 4;

    private ChargedWeek() {}

    /** Writes the jobs of the week, the same for the same seed. */
    static void writeTrace(Path file, long seed) throws IOException {
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>();
        lines.add("; UnixStartTime: " + BEGIN);
        lines.add("; MaxProcs: " + NODES * PROCS_PER_NODE);
        long between = 7 * DAY / JOBS;
        for (int number = 1; number <= JOBS; number++) {
            long submit = between * (number - 1) + random.nextInt((int) between);
            long runs = 60 + random.nextInt((int) (10 * HOUR));
            long limit = runs + random.nextInt((int) HOUR);
            int procs = 1 + random.nextInt(6);
            int user = 1 + random.nextInt(USERS);
            lines.add(String.format(
                    "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 -1 -1 -1 -1 -1",
                    number, submit, runs, procs, procs, limit, user));
        }
        Files.write(file, lines);
    }

    /** Writes when which node fails: one every day. */
    static void writeFailures(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int day = 0; day < 7; day++) {
            lines.add("AT " + (day * DAY + 15 * HOUR) + " NODE n000" + (1 + day % 4) + " DOWN FOR " + 2 * HOUR);
        }
        Files.write(file, lines);
    }

    /** Returns the ids of the jobs that ended with a node, by the machine's own record. */
    static Set<String> endedByNodes(Path ledger) throws IOException {
        Set<String> ids = new TreeSet<>();
        for (String line : Files.readAllLines(ledger)) {
            String[] fields = line.split("\t", -1);
            if (fields[1].equals("END") && fields[5].endsWith("NODE_FAIL")) {
                ids.add(fields[2]);
            }
        }
        return ids;
    }

    /** Returns the processor-seconds each job that ran to some end had, by the machine's own record. */
    static Map<String, Long> processorSeconds(List<JobRun> runs) {
        Map<String, Long> seconds = new TreeMap<>();
        runs.forEach(run -> seconds.put(Long.toString(run.number()), run.procs() * (run.end() - run.start())));
        return seconds;
    }
}
