package io.weir.scheduler.core.reservation.acl;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an entry of an access control list looks at. */
public enum AclType {
    /** The user. */
    USER,
    /** The primary group. */
    GROUP,
    /** The account; also written ACCOUNT. */
    ACCT,
    /** The class, or queue. */
    CLASS,
    /** The quality of service. */
    QOS,
    /** The job's id. */
    JOB,
    /** A reservation the job names, or that reservation's group. */
    RSV,
    /** An attribute of the job, such as a flag. */
    JATTR,
    /** The wallclock limit, seconds. */
    DURATION,
    /** The processors asked for. */
    PROC,
    /** Processors times wallclock limit, processor seconds. */
    PS;

    /** Returns whether its values are amounts, which compare by size. */
    public boolean numeric() {
        return this == DURATION || this == PROC || this == PS;
    }

    /** Returns the type {@code text} names in any case, or null when it names none. */
    static @Nullable AclType named(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        if (upper.equals("ACCOUNT")) {
            return ACCT;
        }
        for (AclType type : values()) {
            if (type.name().equals(upper)) {
                return type;
            }
        }
        return null;
    }
}
