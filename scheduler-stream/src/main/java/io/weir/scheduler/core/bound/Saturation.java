package io.weir.scheduler.core.bound;

/**
 * Sums and products of whole numbers that stay at a limit where they would pass it, and so never overflow.
 *
 * @param limit no result is further from 0, which is positive
 */
public record Saturation(long limit) {
    /** Stops only where a long does. */
    public static final Saturation OF_LONG = new Saturation(Long.MAX_VALUE);

    public Saturation {
        if (limit <= 0) {
            throw new IllegalArgumentException("a limit of " + limit + " leaves no numbers; it has to be positive");
        }
    }

    /** Returns the sum, or the limit that it passes. */
    public long sum(long one, long other) {
        long sum = one + other;
        boolean overflow = ((one ^ sum) & (other ^ sum)) < 0;
        return overflow ? limit(one < 0) : within(sum);
    }

    /** Returns the product, or the limit that it passes. */
    public long product(long one, long other) {
        long product = one * other;
        boolean overflow = Math.multiplyHigh(one, other) != product >> 63;
        return overflow ? limit((one < 0) != (other < 0)) : within(product);
    }

    private long within(long number) {
        return Math.max(-limit, Math.min(limit, number));
    }

    private long limit(boolean negative) {
        return negative ? -limit : limit;
    }
}
