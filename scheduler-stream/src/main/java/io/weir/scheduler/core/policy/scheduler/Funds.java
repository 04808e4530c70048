package io.weir.scheduler.core.policy.scheduler;

import org.jspecify.annotations.Nullable;

/**
 * What is done about jobs whose account cannot pay. Immutable.
 *
 * @param asks whether the allocation manager is asked before a job starts
 * @param fallbackAccount FALLBACKACCOUNT: account that pays in place of one that cannot; null for none
 * @param defers DEFERJOBONFAILURE: whether a job is deferred that nobody pays for, or of which nothing is heard
 * @param timeoutSeconds TIMEOUT: how long an answer is waited for
 */
public record Funds(boolean asks, @Nullable String fallbackAccount, boolean defers, long timeoutSeconds) {
    /** Nobody is asked. */
    public static final Funds UNASKED = new Funds(false, null, false, 10);
}
