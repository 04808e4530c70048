package io.weir.scheduler.core.category;

import io.weir.scheduler.core.policy.language.value.NodeCategory;
import io.weir.schemas.CategoryClass;
import java.util.Map;

/**
 * How reliable a node, or all nodes together, were. Time is in seconds, of several nodes added up.
 *
 * @param total all time
 * @param up time that was neither failure nor maintenance
 * @param failed time in failure
 * @param maintained time in maintenance
 * @param failures how often a node failed, coming from a category that is no failure
 */
public record Reliability(long total, long up, long failed, long maintained, long failures) {
    /** Adds up what was spent in each category. */
    static Reliability of(Map<NodeCategory, Long> seconds, long failures) {
        long total = 0;
        long failed = 0;
        long maintained = 0;
        for (Map.Entry<NodeCategory, Long> spent : seconds.entrySet()) {
            total += spent.getValue();
            if (spent.getKey().isFailure()) {
                failed += spent.getValue();
            } else if (spent.getKey().categoryClass() == CategoryClass.MAINTENANCE) {
                maintained += spent.getValue();
            }
        }
        return new Reliability(total, total - failed - maintained, failed, maintained, failures);
    }

    /** Returns the mean time between failures; all time where there was none. */
    public long secondsBetweenFailures() {
        return failures == 0 ? total : up / failures;
    }

    /** Returns the mean time to repair; 0 where there was no failure. */
    public long secondsToRepair() {
        return failures == 0 ? 0 : failed / failures;
    }
}
