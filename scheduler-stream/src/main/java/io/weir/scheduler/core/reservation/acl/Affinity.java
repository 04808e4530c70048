package io.weir.scheduler.core.reservation.acl;

/** How much a job likes the resources of a reservation it may use. */
public enum Affinity {
    /** Only when nothing else is left. */
    NEGATIVE("-", -1),
    /** No preference. */
    NEUTRAL("=", 0),
    /** Preferred over unreserved resources. */
    POSITIVE("+", 1);

    private final String sign;
    private final int value;

    Affinity(String sign, int value) {
        this.sign = sign;
        this.value = value;
    }

    String sign() {
        return sign;
    }

    /** Returns -1, 0 or 1. */
    public int value() {
        return value;
    }

    /** Returns what both together mean: negative wins over positive, positive over neutral. */
    public Affinity and(Affinity other) {
        if (this == NEGATIVE || other == NEGATIVE) {
            return NEGATIVE;
        }
        return this == POSITIVE || other == POSITIVE ? POSITIVE : NEUTRAL;
    }
}
