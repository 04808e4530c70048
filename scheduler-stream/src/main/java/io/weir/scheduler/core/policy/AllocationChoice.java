package io.weir.scheduler.core.policy;

/**
 * A node allocation policy as configured or as asked for by a job.
 *
 * @param kind the policy
 * @param plugin name of the plug-in; empty unless the kind is PLUGIN
 */
public record AllocationChoice(AllocationPolicyKind kind, String plugin) {
    /** What an empty configuration uses. */
    public static final AllocationChoice DEFAULT = of(AllocationPolicyKind.LASTAVAILABLE);

    /** Returns the choice of a policy that is no plug-in. */
    public static AllocationChoice of(AllocationPolicyKind kind) {
        return new AllocationChoice(kind, "");
    }
}
