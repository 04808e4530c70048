package io.weir.rm.slurm.client;

import java.util.List;

/** What becomes of a waiting job whose dependency can never be fulfilled, by its user's word ({@code --kill-on-invalid-dep}). */
public enum DeadDependencyRule {
    /** Slurm ends it. */
    ENDS,
    /** It waits. */
    WAITS,
    /** As DependencyParameters say (kill_invalid_depend): its user says nothing. */
    BY_CLUSTER;

    static DeadDependencyRule of(List<String> flags) {
        if (flags.contains("NO_KILL_INV_DEP") || flags.contains("NO_KILL_INVALID_DEPENDENCY")) {
            return WAITS;
        }
        return flags.contains("KILL_INV_DEP") || flags.contains("KILL_INVALID_DEPENDENCY") ? ENDS : BY_CLUSTER;
    }
}
