package io.weir.scheduler.reduction;

/** The moving average of a metric, exponentially weighted by the time between values, so that their rate does not matter. */
final class MovingAverage {
    private MovingAverage() {}

    /**
     * Returns the average with {@code value} in it.
     *
     * @param millis time since the value before, 0 or more
     * @param constantMillis time constant; 0 takes the value itself
     */
    static double next(double average, double value, long millis, long constantMillis) {
        if (constantMillis == 0) {
            return value;
        }
        double weight = 1 - Math.exp(-millis / (double) constantMillis);
        return average + weight * (value - average);
    }
}
