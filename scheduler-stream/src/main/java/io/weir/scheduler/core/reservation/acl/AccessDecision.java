package io.weir.scheduler.core.reservation.acl;

/**
 * What a list says about somebody.
 *
 * @param allowed may use the resources
 * @param affinity how much it likes them; neutral without access
 * @param locked must run there and nowhere else
 */
public record AccessDecision(boolean allowed, Affinity affinity, boolean locked) {
    /** No access. */
    public static final AccessDecision DENIED = new AccessDecision(false, Affinity.NEUTRAL, false);
}
