package io.weir.scheduler.query.image;

import io.weir.scheduler.core.policy.language.RuntimeSettings;
import io.weir.schemas.Iteration;
import io.weir.schemas.PolicyVersion;

/**
 * A version of a configuration on its way into force.
 *
 * @param iteration number of the last iteration before it was published, 0 if there was none
 * @param added what had been added to the configuration at run time by then
 */
public record PublishedPolicy(PolicyVersion version, long iteration, RuntimeSettings added) {

    /** Returns {@code version}, to be published where {@code image} shows the state of its cluster. */
    public static PublishedPolicy into(ClusterImage image, PolicyVersion version) {
        Iteration last = image.iterations().get(version.getCluster());
        return new PublishedPolicy(
                version, last == null ? 0 : last.getNumber(), image.runtimeSettings(version.getCluster()));
    }

    /**
     * Says whether an iteration has followed it. Of a version that was in force before, only the end of what was added at
     * run time, and does not outlive a version, tells.
     */
    public boolean isInForce(ClusterImage image) {
        Iteration last = image.iterations().get(version.getCluster());
        return last != null
                && last.getNumber() > iteration
                && last.getPolicyVersion().equals(version.getVersion())
                && (added.equals(added.persistentOnly())
                        || !image.runtimeSettings(version.getCluster()).equals(added));
    }
}
