package io.weir.scheduler.core.policy.nonstop;

import java.util.List;

/**
 * Who may say that nodes are failing. A user who is denied may not, whoever else is allowed.
 *
 * @param allowed users who may; {@link #ALL} for everybody
 * @param denied users who may not; {@link #ALL} for everybody
 */
public record DrainAccess(List<String> allowed, List<String> denied) {
    /** Stands for everybody. */
    public static final String ALL = "ALL";

    /** Nobody may. */
    public static final DrainAccess NOBODY = new DrainAccess(List.of(), List.of());

    public DrainAccess {
        allowed = List.copyOf(allowed);
        denied = List.copyOf(denied);
    }

    /** Returns whether {@code user} may drain nodes. */
    public boolean allows(String user) {
        return !names(denied, user) && names(allowed, user);
    }

    private static boolean names(List<String> users, String user) {
        return users.contains(user) || users.contains(ALL);
    }
}
