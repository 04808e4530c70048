package io.weir.scheduler.cli;

import java.util.Locale;
import java.util.function.LongSupplier;

/** How fast an audit goes, and how long it will take. */
final class AuditPace {
    private static final double NANOS = 1e9;
    private static final int MINUTE = 60;

    private final LongSupplier nanos;
    private final long began;
    private long iterations;

    /** Begins now, by {@code nanos}, elapsed time in nanoseconds. */
    AuditPace(LongSupplier nanos) {
        this.nanos = nanos;
        this.began = nanos.getAsLong();
    }

    /** Counts an iteration. */
    void iteration() {
        iterations++;
    }

    /** Says where the audit stands; {@code share} of the journal, 0 to 1, lies behind. */
    String text(String cluster, long number, double share) {
        double seconds = (nanos.getAsLong() - began) / NANOS;
        String place = String.format(Locale.ROOT, "%s: iteration %d, %d %%", cluster, number, (int) (share * 100));
        return seconds <= 0 || share <= 0
                ? place
                : place
                        + String.format(
                                Locale.ROOT,
                                ", %d iterations/s, %s left",
                                Math.round(iterations / seconds),
                                left(Math.round(seconds / share * (1 - share))));
    }

    private static String left(long seconds) {
        return seconds < MINUTE
                ? seconds + " s"
                : String.format(Locale.ROOT, "%d min %02d s", seconds / MINUTE, seconds % MINUTE);
    }
}
