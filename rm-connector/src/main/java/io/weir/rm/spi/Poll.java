package io.weir.rm.spi;

import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import java.time.Instant;
import java.util.List;

/**
 * One complete look at a resource manager. The order of the lists is the order in which they are published. The field
 * {@code asOfCommand} of the reports is the runner's business and left at 0 here. A report that has not changed may be
 * the same object as in the poll before, which makes the comparison cheap.
 *
 * @param rmTime the resource manager's clock when it looked, in whole seconds
 * @param nodes every node, each once
 * @param jobs every job that waits, runs or ended recently, each once
 */
public record Poll(Instant rmTime, List<NodeReport> nodes, List<JobReport> jobs) {
    public Poll {
        nodes = List.copyOf(nodes);
        jobs = List.copyOf(jobs);
    }
}
