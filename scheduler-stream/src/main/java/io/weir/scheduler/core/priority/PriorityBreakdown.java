package io.weir.scheduler.core.priority;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a job comes by its priority. Values and contributions are in millionths.
 *
 * @param jobId the job
 * @param priority computed priority, bounded and cut to a whole number
 * @param systemPriority priority set by an administrator, which goes before every computed one; null for none
 * @param lines terms with a weight, in the order of {@link PriorityTerm}
 * @param sums contribution of each component that has such a term, after its cap
 */
public record PriorityBreakdown(
        String jobId, long priority, @Nullable Integer systemPriority, List<Line> lines, List<Sum> sums) {
    public PriorityBreakdown {
        lines = List.copyOf(lines);
        sums = List.copyOf(sums);
    }

    /**
     * A term.
     *
     * @param value its value, after its cap
     * @param weight its weight within the component, that of the job's quality of service included
     * @param contribution value times both weights
     */
    public record Line(PriorityTerm term, long value, long weight, long contribution) {}

    /** What a component adds to the priority. */
    public record Sum(PriorityComponent component, long contribution) {}
}
