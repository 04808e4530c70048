package io.weir.scheduler.core.nodeset;

/** The distinct processor speeds of a cluster and the sets that grow from them. Immutable. */
final class SpeedClasses {
    /** No speeds and no sets. */
    static final SpeedClasses NONE = new SpeedClasses(new int[0], new int[0], new long[0], 0, false);

    /** Speeds closer than this, relative to the slower one, are not told apart. */
    private static final double SLACK = 1e-9;

    private final int[] speeds;
    private final int[] speedOf;
    private final long[] bases;
    private final double tolerance;
    private final boolean growing;

    /**
     * Creates the speeds of a family.
     *
     * @param speeds distinct speeds, MHz, ascending
     * @param speedOf by position, the place of its speed in {@code speeds}, or -1
     * @param bases lowest speed of each set, MHz
     * @param tolerance how far speeds within a set may differ, relative to the lowest
     * @param growing whether a set exists only while a candidate has exactly its lowest speed
     */
    SpeedClasses(int[] speeds, int[] speedOf, long[] bases, double tolerance, boolean growing) {
        this.speeds = speeds;
        this.speedOf = speedOf;
        this.bases = bases;
        this.tolerance = tolerance;
        this.growing = growing;
    }

    /** Returns whether {@code faster} is within {@code tolerance} of {@code slower}. */
    static boolean near(long slower, long faster, double tolerance) {
        return (faster - slower) / (double) slower <= tolerance + SLACK;
    }

    /** Returns the distinct speeds, MHz, ascending; not to be written. */
    int[] speeds() {
        return speeds;
    }

    /** Returns the place in {@link #speeds} of the speed of the node at {@code position}, or -1. */
    int speedOf(int position) {
        return speedOf[position];
    }

    /** Returns the lowest speed in {@code set}, MHz. */
    long base(int set) {
        return bases[set];
    }

    /** Returns whether the speed at {@code place}, not below its base, belongs to {@code set}. */
    boolean holds(int set, int place) {
        return near(bases[set], speeds[place], tolerance);
    }

    /** Returns whether a set exists only while a candidate has exactly its lowest speed. */
    boolean growing() {
        return growing;
    }
}
