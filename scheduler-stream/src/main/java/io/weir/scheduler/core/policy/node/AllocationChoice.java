package io.weir.scheduler.core.policy.node;

/**
 * A node allocation policy as configured or as asked for by a job.
 *
 * @param kind the policy
 * @param plugin name of the plug-in; empty unless the kind is PLUGIN
 */
public record AllocationChoice(AllocationPolicyKind kind, String plugin) {
    private static final String PLUGIN = "PLUGIN:";

    /** What an empty configuration uses. */
    public static final AllocationChoice DEFAULT = of(AllocationPolicyKind.LASTAVAILABLE);

    /** Returns what {@code text} means, which has been found legal: a policy, LOCAL, or PLUGIN:name. */
    public static AllocationChoice of(String text) {
        if (text.startsWith(PLUGIN)) {
            return new AllocationChoice(AllocationPolicyKind.PLUGIN, text.substring(PLUGIN.length()));
        }
        return text.equals("LOCAL")
                ? new AllocationChoice(AllocationPolicyKind.PLUGIN, "local")
                : of(AllocationPolicyKind.valueOf(text));
    }

    /** Returns the choice of a policy that is no plug-in. */
    public static AllocationChoice of(AllocationPolicyKind kind) {
        return new AllocationChoice(kind, "");
    }
}
