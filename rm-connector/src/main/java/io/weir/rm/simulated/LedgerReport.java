package io.weir.rm.simulated;

import io.weir.trace.JobRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger says happened, and whether it can have happened: no job started twice without a requeue between, no
 * processor given twice, no job lost, no command carried out twice. An independent reading: it shares the file format
 * with the machine that wrote the ledger, but none of its state.
 *
 * @param runs every job that ran and ended, in order of submission: its last start
 * @param unfinished jobs submitted that have not ended
 * @param neverStarted jobs that ended without having run
 * @param growths how running jobs got more nodes, in order
 * @param problems what cannot have happened, with the line of the ledger
 */
public record LedgerReport(
        List<JobRun> runs,
        List<String> unfinished,
        List<String> neverStarted,
        List<Growth> growths,
        List<String> problems) {

    public LedgerReport {
        runs = List.copyOf(runs);
        unfinished = List.copyOf(unfinished);
        neverStarted = List.copyOf(neverStarted);
        growths = List.copyOf(growths);
        problems = List.copyOf(problems);
    }

    /**
     * A command that gave a running job more nodes.
     *
     * @param line where the ledger says so
     * @param held the nodes that the job had before, each with the line by which it got them
     */
    public record Growth(String jobId, String commandId, int line, SortedMap<String, Integer> held) {
        public Growth {
            held = Collections.unmodifiableSortedMap(new TreeMap<>(held));
        }
    }

    /** Reads {@code ledger}; a connector may be writing it. */
    public static LedgerReport read(Path ledger) {
        return of(LedgerContent.read(ledger).entries());
    }

    static LedgerReport of(List<LedgerEntry> entries) {
        return of(entries, Set.of());
    }

    /** Reads a ledger in which the jobs {@code resized} may get another number of processors than they were submitted with. */
    static LedgerReport of(List<LedgerEntry> entries, Set<String> resized) {
        Audit audit = new Audit(resized);
        entries.forEach(audit::entry);
        return audit.report();
    }

    /** Says whether every job of the workload was submitted and has ended, and nothing was wrong. */
    public boolean isComplete() {
        return problems.isEmpty() && unfinished.isEmpty();
    }

    /** A job as the ledger tells its story. */
    private static final class Story {
        private static final long UNSET = Long.MIN_VALUE;

        private final long number;
        private final long sequence;
        private final long submit;
        private final int procs;
        private @Nullable JobAllocation running;

        /** Lines by which it got the nodes that it has. */
        private final SortedMap<String, Integer> held = new TreeMap<>();

        private long start = UNSET;
        private long end = UNSET;

        Story(long number, long sequence, long submit, int procs) {
            this.number = number;
            this.sequence = sequence;
            this.submit = submit;
            this.procs = procs;
        }
    }

    /** One reading of a ledger. */
    private static final class Audit {
        private final Map<String, Story> jobs = new LinkedHashMap<>();
        private final Set<String> resized;
        private final Map<String, Long> used = new HashMap<>();
        private final Map<String, Boolean> down = new HashMap<>();
        private final Map<String, Integer> commandLines = new HashMap<>();
        private final List<Growth> growths = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();
        private long procsPerNode = Long.MAX_VALUE;
        private long expectedJobs = -1;
        private long lastTime = Long.MIN_VALUE;
        private int line;

        Audit(Set<String> resized) {
            this.resized = resized;
        }

        void entry(LedgerEntry entry) {
            line++;
            if (entry.time() < lastTime) {
                problem("time goes back from " + lastTime + " to " + entry.time());
            }
            lastTime = Math.max(lastTime, entry.time());
            if (entry.effect().answersCommand()) {
                @Nullable Integer before = commandLines.putIfAbsent(entry.commandId(), line);
                if (before != null) {
                    problem("command " + entry.commandId() + " was carried out before, at line " + before);
                }
            }
            switch (entry.effect()) {
                case OPEN -> open(entry.detail());
                case SUBMIT -> submit(entry);
                case START -> start(entry);
                case END, CANCEL -> end(entry);
                case REQUEUE -> requeue(entry);
                case GROW -> grow(entry);
                case SHRINK -> shrink(entry);
                case NODE -> down.put(entry.subject(), "DOWN".equals(entry.detail()));
                case POLL, HOLD, RELEASE, LIMIT, SUSPEND, RESUME, DRAIN, FEATURES, REFUSE, REFUSE_BY_SCRIPT -> {}
            }
        }

        private void open(String detail) {
            for (String setting : detail.split(" ", -1)) {
                if (setting.startsWith("procs=")) {
                    procsPerNode = Long.parseLong(setting.substring("procs=".length()));
                } else if (setting.startsWith("jobs=")) {
                    expectedJobs = Long.parseLong(setting.substring("jobs=".length()));
                }
            }
        }

        private void submit(LedgerEntry entry) {
            String[] values = entry.detail().split(" ", -1);
            Story story = new Story(
                    Long.parseLong(values[1]), Long.parseLong(values[2]), entry.time(), Integer.parseInt(values[0]));
            if (jobs.putIfAbsent(entry.subject(), story) != null) {
                problem("job " + entry.subject() + " was submitted before");
            }
        }

        private void start(LedgerEntry entry) {
            @Nullable Story job = job(entry);
            if (job == null) {
                return;
            }
            if (job.running != null || job.end != Story.UNSET) {
                problem("job " + entry.subject() + " was started before, at " + job.start);
                return;
            }
            JobAllocation placement = JobAllocation.parse(entry.detail());
            boolean judged = !resized.contains(entry.subject());
            if (judged && placement.procs() < job.procs) {
                problem("job " + entry.subject() + " asked for " + job.procs + " processors and got "
                        + placement.procs());
            }
            job.start = entry.time();
            job.running = placement;
            placement.allocation().forEach(part -> job.held.put(part.getNodeId(), line));
            take(entry, placement);
            if (judged && placement.procs() > job.procs && shared(placement)) {
                problem("job " + entry.subject() + " asked for " + job.procs + " processors and got "
                        + placement.procs() + ", on nodes that it does not have to itself");
            }
        }

        /** Returns whether others use one of the nodes that were given. */
        private boolean shared(JobAllocation placement) {
            return placement.allocation().stream()
                    .anyMatch(part -> used.getOrDefault(part.getNodeId(), 0L) > part.getProcs());
        }

        private void grow(LedgerEntry entry) {
            @Nullable Story job = job(entry);
            if (job == null || job.running == null) {
                problem("job " + entry.subject() + " grew and does not run");
                return;
            }
            JobAllocation more = JobAllocation.parse(entry.detail());
            growths.add(new Growth(entry.subject(), entry.commandId(), line, job.held));
            take(entry, more);
            job.running = job.running.with(more.allocation());
            more.allocation().forEach(part -> job.held.put(part.getNodeId(), line));
        }

        private void shrink(LedgerEntry entry) {
            @Nullable Story job = job(entry);
            if (job == null || job.running == null) {
                problem("job " + entry.subject() + " shrank and does not run");
                return;
            }
            JobAllocation less = JobAllocation.parse(entry.detail());
            less.allocation().forEach(part -> used.merge(part.getNodeId(), (long) -part.getProcs(), Long::sum));
            job.running = job.running.without(less.allocation());
            less.allocation().forEach(part -> job.held.remove(part.getNodeId()));
        }

        private void take(LedgerEntry entry, JobAllocation placement) {
            placement.allocation().forEach(part -> {
                long now = used.merge(part.getNodeId(), (long) part.getProcs(), Long::sum);
                if (now > procsPerNode) {
                    problem("node " + part.getNodeId() + " has " + procsPerNode + " processors, " + now
                            + " are in use");
                }
                if (down.getOrDefault(part.getNodeId(), false)) {
                    problem("node " + part.getNodeId() + " is down, job " + entry.subject() + " starts there");
                }
            });
        }

        private void end(LedgerEntry entry) {
            @Nullable Story job = job(entry);
            if (job == null) {
                return;
            }
            if (job.end != Story.UNSET) {
                problem("job " + entry.subject() + " ended before, at " + job.end);
                return;
            }
            giveBack(job);
            job.end = entry.time();
        }

        private void requeue(LedgerEntry entry) {
            @Nullable Story job = job(entry);
            if (job == null) {
                return;
            }
            if (job.running == null) {
                problem("job " + entry.subject() + " was requeued and does not run");
            }
            giveBack(job);
            job.start = Story.UNSET;
        }

        private void giveBack(Story job) {
            if (job.running != null) {
                job.running
                        .allocation()
                        .forEach(part -> used.merge(part.getNodeId(), (long) -part.getProcs(), Long::sum));
                job.running = null;
                job.held.clear();
            }
        }

        private @Nullable Story job(LedgerEntry entry) {
            @Nullable Story job = jobs.get(entry.subject());
            if (job == null) {
                problem("job " + entry.subject() + " was never submitted");
            }
            return job;
        }

        private void problem(String what) {
            problems.add("line " + line + ": " + what);
        }

        LedgerReport report() {
            List<JobRun> runs = new ArrayList<>();
            List<String> unfinished = new ArrayList<>();
            List<String> neverStarted = new ArrayList<>();
            jobs.forEach((id, job) -> {
                if (job.end == Story.UNSET) {
                    unfinished.add(id);
                } else if (job.start == Story.UNSET) {
                    neverStarted.add(id);
                } else {
                    runs.add(new JobRun(job.number, job.sequence, job.submit, job.start, job.end, job.procs));
                }
            });
            if (expectedJobs < 0) {
                problems.add("the ledger does not begin with what it is about");
            }
            if (jobs.size() < expectedJobs) {
                unfinished.add("and " + (expectedJobs - jobs.size()) + " jobs that were not submitted yet");
            }
            return new LedgerReport(runs, unfinished, neverStarted, growths, problems);
        }
    }
}
