package io.weir.scheduler.bench;

import com.sun.management.ThreadMXBean;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.RmCommand;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Times the iteration that answers the failure of nodes on a full mixed cluster with a long queue: it requeues the jobs there,
 * gives back their healthy nodes and plans anew. Single-threaded.
 */
public final class FailureBench {
    /** What the site says about failures; any other configuration may be added. */
    public static final String POLICY = "NODEALLOCRESFAILUREPOLICY REQUEUE\n";

    /** Iterations after a repair until what was requeued has settled. */
    private static final int SETTLING = 5;

    private final IterationBench site;
    private final int nodes;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * What the failure of some nodes at once costs.
     *
     * @param failed nodes that failed; 0 for an iteration in which none did
     * @param requeued jobs put back into the queue, mean
     * @param started jobs started in the same iteration, mean
     * @param millis elapsed time of the iteration, the median
     * @param worst the longest, milliseconds
     * @param cpuMillis processor time of the deciding thread, the median
     * @param misplaced tasks started on nodes that had failed: 0
     */
    public record Cost(
            int failed, double requeued, double started, double millis, double worst, double cpuMillis, int misplaced) {
        /** Returns the title of the columns. */
        public static String head() {
            return String.format(
                    Locale.ROOT,
                    "%-12s %10s %10s %9s %9s %9s",
                    "nodes failed",
                    "requeued",
                    "started",
                    "ms p50",
                    "ms max",
                    "ms cpu");
        }

        /** Returns one line for people. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "%-12d %10.1f %10.1f %9.1f %9.1f %9.1f",
                    failed,
                    requeued,
                    started,
                    millis,
                    worst,
                    cpuMillis);
        }
    }

    /**
     * Prepares a run.
     *
     * @param site a site of {@code nodes} nodes under {@link #POLICY}; it is filled here
     */
    public FailureBench(IterationBench site, int nodes) {
        this.site = site;
        this.nodes = nodes;
    }

    /**
     * Returns what it costs when no node fails, when one does and when {@code rack} neighbours do, measured {@code rounds}
     * times each after as many that are not counted.
     */
    public List<Cost> run(int rack, int rounds) {
        site.fill();
        settle();
        List<Cost> costs = new ArrayList<>();
        for (int failing : new int[] {0, 1, rack}) {
            costs.add(cost(failing, rounds));
        }
        return costs;
    }

    private Cost cost(int failing, int rounds) {
        List<Long> elapsed = new ArrayList<>();
        List<Long> processor = new ArrayList<>();
        int requeued = 0;
        int started = 0;
        int misplaced = 0;
        for (int i = 0; i < 2 * rounds; i++) {
            int first = (int) ((long) i * failing % (nodes - failing + 1));
            site.step();
            site.report(first, first + failing, NodeState.DOWN);
            long begin = System.nanoTime();
            long before = threads.getCurrentThreadCpuTime();
            IterationResult result = site.iterate();
            long cpu = threads.getCurrentThreadCpuTime() - before;
            long time = System.nanoTime() - begin;
            misplaced += misplaced(result, site.names(first, first + failing));
            int back = IterationBench.commands(result, CommandKind.REQUEUE_JOB).size();
            int starts = site.carryOut(result);
            if (i >= rounds) {
                elapsed.add(time);
                processor.add(cpu);
                requeued += back;
                started += starts;
            }
            site.report(first, first + failing, NodeState.IDLE);
            settle();
        }
        return new Cost(
                failing,
                (double) requeued / rounds,
                (double) started / rounds,
                IterationReport.percentile(elapsed, 0.5),
                IterationReport.percentile(elapsed, 1),
                IterationReport.percentile(processor, 0.5),
                misplaced);
    }

    private static int misplaced(IterationResult result, List<String> failed) {
        int count = 0;
        for (RmCommand command : IterationBench.commands(result, CommandKind.START_JOB)) {
            for (NodeAllocation node : command.getAllocation()) {
                count += failed.contains(node.getNodeId()) ? 1 : 0;
            }
        }
        return count;
    }

    private void settle() {
        for (int i = 0; i < SETTLING; i++) {
            site.step();
            site.carryOut(site.iterate());
        }
    }
}
