package io.weir.scheduler.core.policy.node;

/**
 * What happens to a job when a node of its fails.
 *
 * @param action what is done
 * @param masterOnly whether only the failure of the node of task 0 counts; any other is ignored
 */
public record FailurePolicy(FailureAction action, boolean masterOnly) {
    /** Holds where nothing is configured. */
    public static final FailurePolicy DEFAULT = new FailurePolicy(FailureAction.CANCEL, false);

    /** Holds for jobs that were submitted to survive failures. */
    public static final FailurePolicy SURVIVE = new FailurePolicy(FailureAction.IGNORE, false);

    /** Reads a legal value of NODEALLOCRESFAILUREPOLICY, such as {@code REQUEUE*}. */
    public static FailurePolicy of(String text) {
        boolean master = text.endsWith("*");
        return new FailurePolicy(FailureAction.valueOf(master ? text.substring(0, text.length() - 1) : text), master);
    }

    @Override
    public String toString() {
        return masterOnly ? action + "*" : action.name();
    }
}
