package io.weir.scheduler.core.priority;

/** How urgent a job is that nears the target of its quality of service. */
final class TargetCurve {
    private static final long SCALE = 1_000_000_000;
    private static final long AT_TARGET = 100;

    private TargetCurve() {}

    /**
     * Returns 100 times the tenth power of reached / target until the target is reached, then 100 times the quotient; in
     * millionths.
     */
    static long of(long reached, long target) {
        if (reached >= target) {
            return Micros.of(AT_TARGET, reached, target);
        }
        long quotient = Micros.of(SCALE / Micros.ONE, reached, target);
        long square = quotient * quotient / SCALE;
        long fourth = square * square / SCALE;
        long eighth = fourth * fourth / SCALE;
        long tenth = eighth * square / SCALE;
        return tenth * AT_TARGET / (SCALE / Micros.ONE);
    }
}
