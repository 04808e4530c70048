package io.weir.scheduler.core.reservation.acl;

/** How much a job likes the resources of a reservation it may use. */
public enum Affinity {
    /** Only when nothing else is left. */
    NEGATIVE("-"),
    /** No preference. */
    NEUTRAL("="),
    /** Preferred over unreserved resources. */
    POSITIVE("+");

    private final String sign;

    Affinity(String sign) {
        this.sign = sign;
    }

    /** Returns what stands behind an entry of an access list for it. */
    public String sign() {
        return sign;
    }

    /** Returns what both together mean: negative wins over positive, positive over neutral. */
    public Affinity and(Affinity other) {
        if (this == NEGATIVE || other == NEGATIVE) {
            return NEGATIVE;
        }
        return this == POSITIVE || other == POSITIVE ? POSITIVE : NEUTRAL;
    }
}
