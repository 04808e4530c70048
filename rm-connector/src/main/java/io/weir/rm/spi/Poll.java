package io.weir.rm.spi;

import io.weir.schemas.GenericEvent;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import java.time.Instant;
import java.util.List;

/**
 * One complete look at a resource manager. The order of the lists is the order in which they are published. The field
 * {@code asOfCommand} of the reports is the runner's business and left at 0 here. A report that has not changed may be
 * the same object as in the poll before, which makes the comparison cheap.
 *
 * @param rmTime the resource manager's clock when it looked, in whole seconds
 * @param nodes every node, each once; where a running job lost nodes, as they were when that was seen or later: one that is
 *     not down then was taken from the job for another reason than its failure
 * @param jobs every job that waits, runs or ended recently, each once
 * @param metrics what was measured on nodes; published when it differs from the last poll's
 * @param events what happened on objects of the cluster; published once, however long polls list it
 */
public record Poll(
        Instant rmTime,
        List<NodeReport> nodes,
        List<JobReport> jobs,
        List<NodeMetric> metrics,
        List<GenericEvent> events) {
    public Poll {
        nodes = List.copyOf(nodes);
        jobs = List.copyOf(jobs);
        metrics = List.copyOf(metrics);
        events = List.copyOf(events);
    }

    /** Returns a look that measured nothing and saw no event. */
    public Poll(Instant rmTime, List<NodeReport> nodes, List<JobReport> jobs) {
        this(rmTime, nodes, jobs, List.of(), List.of());
    }
}
