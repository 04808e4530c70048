package io.weir.scheduler.core.policy.node;

/**
 * What happens to a job when a node of its fails.
 *
 * @param action what is done
 * @param masterOnly whether only the failure of the node of task 0 counts; any other is ignored
 */
public record NodeFailurePolicy(FailureAction action, boolean masterOnly) {
    /** Holds where nothing is configured. */
    public static final NodeFailurePolicy DEFAULT = new NodeFailurePolicy(FailureAction.CANCEL, false);

    /** Holds for jobs that were submitted to survive failures. */
    public static final NodeFailurePolicy SURVIVE = new NodeFailurePolicy(FailureAction.IGNORE, false);

    /** Reads a legal value of NODEALLOCRESFAILUREPOLICY, such as {@code REQUEUE*}. */
    public static NodeFailurePolicy of(String text) {
        boolean master = text.endsWith("*");
        return new NodeFailurePolicy(
                FailureAction.valueOf(master ? text.substring(0, text.length() - 1) : text), master);
    }

    @Override
    public String toString() {
        return masterOnly ? action + "*" : action.name();
    }
}
