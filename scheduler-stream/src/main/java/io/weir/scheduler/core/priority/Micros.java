package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.bound.Saturation;

/**
 * Exact arithmetic on numbers counted in millionths. Quotients are rounded to the nearest millionth, so that what adds up
 * to a whole number does; results are kept within {@link #LIMIT}, far beyond every bound of a priority.
 */
public final class Micros {
    /** Millionths in one. */
    public static final long ONE = 1_000_000;

    /** No result is further from 0. */
    public static final long LIMIT = 300_000_000_000L * ONE;

    private static final Saturation WITHIN_LIMIT = new Saturation(LIMIT);

    /** Products below can be counted in millionths, with room for rounding. */
    private static final long SMALL = Long.MAX_VALUE / (4 * ONE);

    private Micros() {}

    /** Returns {@code factor * numerator / denominator}; the denominator is positive. */
    public static long of(long factor, long numerator, long denominator) {
        long high = Math.multiplyHigh(factor, numerator);
        long product = factor * numerator;
        if (high == product >> 63 && product < SMALL && product > -SMALL && denominator < SMALL) {
            return (product * ONE + (product < 0 ? -denominator / 2 : denominator / 2)) / denominator;
        }
        if (high != product >> 63) {
            return high < 0 ? -LIMIT : LIMIT;
        }
        long whole = product / denominator;
        if (whole > LIMIT / ONE || whole < -LIMIT / ONE) {
            return whole < 0 ? -LIMIT : LIMIT;
        }
        long rest = product % denominator;
        if (rest == 0) {
            return whole * ONE;
        }
        long half = rest < 0 ? -denominator / 2 : denominator / 2;
        long fraction = Math.abs(rest) < Long.MAX_VALUE / (2 * ONE)
                ? (rest * ONE + half) / denominator
                : rest / Math.max(1, denominator / ONE);
        return whole * ONE + fraction;
    }

    /** Returns {@code factor} times {@code micros}. */
    public static long times(long factor, long micros) {
        return WITHIN_LIMIT.product(factor, micros);
    }

    /** Returns a configured number in millionths. */
    public static long of(double configured) {
        return (long) Math.max(-LIMIT, Math.min(LIMIT, configured * ONE + (configured < 0 ? -0.5 : 0.5)));
    }

    /** Returns {@code micros} as a decimal number, without needless zeros. */
    public static String text(long micros) {
        long whole = Math.abs(micros / ONE);
        long fraction = Math.abs(micros % ONE);
        StringBuilder text = new StringBuilder(24);
        if (micros < 0) {
            text.append('-');
        }
        text.append(whole);
        if (fraction != 0) {
            String digits = Long.toString(ONE + fraction).substring(1);
            int end = digits.length();
            while (digits.charAt(end - 1) == '0') {
                end--;
            }
            text.append('.').append(digits, 0, end);
        }
        return text.toString();
    }
}
