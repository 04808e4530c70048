package io.weir.scheduler.core.policy.node;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happens to nodes that failed and are not down.
 *
 * @param reserveSeconds NODEFAILURERESERVETIME: how long such a node is reserved; 0 for not at all
 * @param flapSeconds RMPOLLINTERVAL: a node that was down for no longer has had such a failure
 * @param profiles NODEFAILURERSVPROFILE: profiles of these reservations, by resource manager
 */
public record TransientFailureSettings(long reserveSeconds, long flapSeconds, SortedMap<String, String> profiles) {
    /** What an empty configuration uses. */
    public static final TransientFailureSettings DEFAULT =
            new TransientFailureSettings(300, 30, Collections.emptySortedMap());

    public TransientFailureSettings {
        profiles = Collections.unmodifiableSortedMap(new TreeMap<>(profiles));
    }

    /**
     * Returns the profile for a node that {@code connector} reported: that of the resource manager of this name, else that of
     * the only one which has a profile; null for none.
     */
    public @Nullable String profile(@Nullable String connector) {
        for (String name : profiles.keySet()) {
            if (name.equalsIgnoreCase(connector)) {
                return profiles.get(name);
            }
        }
        return profiles.size() == 1 ? profiles.get(profiles.firstKey()) : null;
    }
}
