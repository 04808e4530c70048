package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.policy.nodeset.NodeSetPlus;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job waits for a node set. Ta is its earliest start ignoring sets, Ts the one inside a set and Te the one
 * spread evenly over several. A job that may do without takes the set if Ts is at most Ta and the delay accepted, else
 * the even span under the same condition, else what comes first; one that may not takes the first of set and span.
 *
 * <p>Starts are searched for by whoever keeps time; a search is only made when its answer matters.
 */
public final class SetTiming {
    /** Stands for an instant that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    private SetTiming() {}

    /** Finds starts of one job. */
    public interface Search<S> {
        /** Returns the earliest start between {@code from} and {@code latest}, both included; null for none. */
        @Nullable
        S earliest(SetUse use, long from, long latest);
    }

    /**
     * Returns the start a job takes at or after {@code from}; null when there is none.
     *
     * @param rules its rules; null when node sets do not concern it
     * @param several whether it has several requirements, which may find places in sets earlier than without
     * @param time the instant of a start, epoch seconds
     */
    public static <S> @Nullable S earliest(
            @Nullable NodeSetRules rules, boolean several, long from, Search<S> search, ToLongFunction<S> time) {
        S free = search.earliest(SetUse.NONE, from, NEVER);
        if (rules == null || (free == null && !several)) {
            return free;
        }
        long unbound = free == null ? NEVER : time.applyAsLong(free);
        long first = several ? from : unbound;
        long latest = latest(unbound, rules);
        S one = search.earliest(SetUse.ONE_SET, first, rules.optional() ? latest : NEVER);
        if (one != null && time.applyAsLong(one) <= latest) {
            return one;
        }
        if (spans(rules)) {
            long before = one == null ? NEVER : time.applyAsLong(one) - 1;
            S span = search.earliest(SetUse.EVEN_SPAN, first, rules.optional() ? latest : before);
            if (span != null) {
                return span;
            }
        }
        return rules.optional() ? free : one;
    }

    /**
     * Returns the start a job takes at {@code now}; null when it does not start now: because it cannot, or because it
     * waits for a set.
     *
     * @param rules its rules; null when node sets do not concern it
     * @param immediate finds a start now; null for none
     * @param search finds later starts
     */
    public static <S> @Nullable S now(
            @Nullable NodeSetRules rules, long now, Function<SetUse, @Nullable S> immediate, Search<S> search) {
        if (rules == null) {
            return immediate.apply(SetUse.NONE);
        }
        S one = immediate.apply(SetUse.ONE_SET);
        if (one != null) {
            return one;
        }
        S span = spans(rules) ? immediate.apply(SetUse.EVEN_SPAN) : null;
        S free = span == null && rules.optional() ? immediate.apply(SetUse.NONE) : null;
        if (span == null && free == null) {
            return null;
        }
        if (rules.delaySeconds() > 0) {
            long latest = latest(now, rules);
            if (search.earliest(SetUse.ONE_SET, now + 1, latest) != null) {
                return null;
            }
            if (span == null && spans(rules) && search.earliest(SetUse.EVEN_SPAN, now + 1, latest) != null) {
                return null;
            }
        }
        return span != null ? span : free;
    }

    /** Returns whether a job may be spread evenly over several sets. */
    public static boolean spans(NodeSetRules rules) {
        return rules.plus() == NodeSetPlus.SPANEVENLY && rules.policy() != NodeSetPolicy.ANYOF;
    }

    private static long latest(long start, NodeSetRules rules) {
        long latest = start + rules.delaySeconds();
        return latest < start ? NEVER : latest;
    }
}
