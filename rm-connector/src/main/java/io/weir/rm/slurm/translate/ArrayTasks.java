package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.ArrayPart;
import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks of job arrays are told of, and which of them may run: of an array whose tasks have no record of their own yet only
 * the first thousand, so that arrays may be of any size; of one with a limit ({@code --array=1-100%5}) no more than that at a
 * time, the lowest numbers first. Stateless.
 */
final class ArrayTasks {
    /** So many waiting tasks without a record are told of; the next ones follow as these start. */
    static final int TOLD = 1_000;

    private ArrayTasks() {}

    /** Returns the lines of the jobs to be told of. */
    static Collection<QueueLine> told(Collection<QueueLine> lines) {
        Map<Long, List<QueueLine>> waiting = new LinkedHashMap<>();
        List<QueueLine> told = new ArrayList<>(lines.size());
        for (QueueLine line : lines) {
            if (line.hasNoRecord()) {
                waiting.computeIfAbsent(line.array(), array -> new ArrayList<>())
                        .add(line);
            } else {
                told.add(line);
            }
        }
        for (List<QueueLine> tasks : waiting.values()) {
            tasks.stream()
                    .sorted(Comparator.comparingLong(QueueLine::task))
                    .limit(TOLD)
                    .forEach(told::add);
        }
        return told;
    }

    /** Returns what is said of the jobs, in the order of their submission. */
    static List<JobReport> reports(Collection<KnownJob> jobs) {
        TreeMap<Long, KnownJob> ordered = new TreeMap<>();
        jobs.forEach(known -> ordered.put(known.job().sequence(), known));
        Map<Long, Integer> running = new TreeMap<>();
        for (KnownJob known : ordered.values()) {
            @Nullable ArrayPart array = known.job().array();
            if (array != null && (hasNodes(known.report().getState()) || isReleased(known.job()))) {
                running.merge(array.array(), 1, Integer::sum);
            }
        }
        List<JobReport> reports = new ArrayList<>(ordered.size());
        for (KnownJob known : ordered.values()) {
            SlurmJob job = known.job();
            @Nullable ArrayPart array = job.array();
            boolean waits = known.report().getState() == JobState.IDLE && job.isPending() && !isReleased(job);
            if (array == null || array.most() == 0 || !waits) {
                reports.add(known.report());
            } else {
                int number = running.merge(array.array(), 1, Integer::sum);
                reports.add(number <= array.most() ? known.report() : heldBack(known.report(), array.most()));
            }
        }
        return List.copyOf(reports);
    }

    private static boolean hasNodes(JobState state) {
        return state == JobState.STARTING || state == JobState.RUNNING || state == JobState.SUSPENDED;
    }

    /** Says whether Slurm was told to start it. */
    private static boolean isReleased(SlurmJob job) {
        return job.isPending() && !job.isHeld();
    }

    private static JobReport heldBack(JobReport report, int most) {
        return JobReport.newBuilder(report)
                .setState(JobState.HOLD)
                .setReason("waits for other tasks of its array, of which at most " + most + " run at a time")
                .build();
    }
}
