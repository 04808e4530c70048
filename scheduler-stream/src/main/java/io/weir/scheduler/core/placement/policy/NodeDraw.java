package io.weir.scheduler.core.placement.policy;

/** Random numbers for nodes that depend on the site's seed, the iteration and the node alone. */
final class NodeDraw {
    private NodeDraw() {}

    /** Returns the seed of iteration {@code iteration} under RANDOMSEED {@code randomSeed}. */
    static long seed(long randomSeed, long iteration) {
        return mix(randomSeed ^ mix(iteration + 1));
    }

    /** Returns a number from 0 to just below 1 for the node at {@code position}. */
    static double of(long seed, int position) {
        return (mix(seed + 0x9E3779B97F4A7C15L * (position + 1L)) >>> 11) * 0x1.0p-53;
    }

    /** SplitMix64, G. Steele, D. Lea and C. Flood, 2014. */
    private static long mix(long state) {
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
