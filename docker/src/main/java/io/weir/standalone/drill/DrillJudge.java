package io.weir.standalone.drill;

import io.weir.rm.simulated.LedgerReport;
import io.weir.scheduler.simulator.ClusterModel;
import io.weir.scheduler.simulator.Simulator;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.TraceRun;
import io.weir.trace.JobRun;
import io.weir.trace.SwfTrace;
import io.weir.trace.TraceJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Judges a run over a trace by what the resource manager itself wrote down: nothing twice, nothing lost, and every start
 * at the second at which the offline simulator starts it.
 */
public final class DrillJudge {
    private static final int MOST_SHOWN = 10;

    private DrillJudge() {}

    /** Returns what is wrong with the run kept in {@code directory}; empty when nothing is. */
    public static List<String> problems(TraceRun run, DataDirectory directory) throws IOException {
        LedgerReport report = TraceRun.report(directory);
        List<String> problems = new ArrayList<>();
        report.problems().forEach(problem -> problems.add("the record shows something impossible: " + problem));
        report.unfinished().forEach(job -> problems.add("job " + job + " has not ended"));
        report.neverStarted().forEach(job -> problems.add("job " + job + " ended without having run"));
        problems.addAll(differences(expected(run), report.runs()));
        return problems;
    }

    /** Returns the jobs of {@code run}. */
    static List<TraceJob> jobs(TraceRun run) throws IOException {
        return trace(run).window(run.from(), run.count());
    }

    private static SwfTrace trace(TraceRun run) throws IOException {
        return SwfTrace.read(run.trace(), run.nodes() * run.procsPerNode());
    }

    private static List<JobRun> expected(TraceRun run) throws IOException {
        ClusterModel cluster = new ClusterModel(run.nodes(), run.procsPerNode());
        return new Simulator(cluster, jobs(run), trace(run).start(), run.policy()).run();
    }

    private static List<String> differences(List<JobRun> expected, List<JobRun> actual) {
        Map<Long, JobRun> bySequence = new LinkedHashMap<>();
        actual.forEach(job -> bySequence.put(job.sequence(), job));
        List<String> differences = new ArrayList<>();
        for (JobRun job : expected) {
            JobRun found = bySequence.remove(job.sequence());
            if (!job.equals(found)) {
                differences.add("the simulator has " + job + ", the record " + found);
            }
        }
        bySequence.values().forEach(job -> differences.add("only the record has " + job));
        if (differences.size() <= MOST_SHOWN) {
            return differences;
        }
        List<String> shown = new ArrayList<>(differences.subList(0, MOST_SHOWN));
        shown.add("… and " + (differences.size() - MOST_SHOWN) + " more differences");
        return shown;
    }
}
