package io.weir.scheduler.simulator;

import java.time.Duration;
import java.util.Random;

/**
 * How often nodes fail and how long they stay away: times between failures by a Weibull distribution, repairs by an
 * exponential one, each node with draws of its own. The same seed fails the same nodes at the same instants, whatever is
 * scheduled on them.
 *
 * @param meanBetweenFailures mean time from when a node is up to its next failure
 * @param meanRepair mean time until a failed node is up again
 * @param shape shape of the Weibull distribution: 1 for the exponential one, less where failures come in bursts
 * @param seed seed of the draws
 */
public record FailureModel(Duration meanBetweenFailures, Duration meanRepair, double shape, long seed) {
    private static final long BETWEEN_NODES = 0x9E3779B97F4A7C15L;

    public FailureModel {
        if (meanBetweenFailures.toSeconds() < 1 || meanRepair.toSeconds() < 1) {
            throw new IllegalArgumentException("mtbf and mttr have to be a second at least");
        }
        if (!(shape >= 0.1 && shape <= 10)) {
            throw new IllegalArgumentException("shape " + shape + " is not between 0.1 and 10");
        }
    }

    /** Returns the draws of the node at {@code position}. */
    Draws draws(int position) {
        return new Draws(new Random(seed + (position + 1) * BETWEEN_NODES));
    }

    /** The failures of one node, in the order of time. */
    final class Draws {
        private final Random random;

        /** Scale of a Weibull distribution with this mean. */
        private final double scale;

        private Draws(Random random) {
            this.random = random;
            scale = meanBetweenFailures.toSeconds() / gamma(1 + 1 / shape);
        }

        /** Returns for how many seconds the node is up. */
        long up() {
            return seconds(scale * StrictMath.pow(-StrictMath.log(1 - random.nextDouble()), 1 / shape));
        }

        /** Returns for how many seconds it is down then. */
        long down() {
            return seconds(-StrictMath.log(1 - random.nextDouble()) * meanRepair.toSeconds());
        }

        private static long seconds(double drawn) {
            return (long) Math.max(1, Math.min(drawn, 1e12));
        }
    }

    /** Returns the gamma function of {@code x}, at least 1, by the approximation of Lanczos. */
    private static double gamma(double x) {
        double[] g = {
            0.9999999999998099,
            676.5203681218851,
            -1259.1392167224028,
            771.3234287776531,
            -176.6150291621406,
            12.507343278686905,
            -0.13857109526572012,
            9.984369578019572e-6,
            1.5056327351493116e-7
        };
        double sum = g[0];
        for (int i = 1; i < g.length; i++) {
            sum += g[i] / (x - 1 + i);
        }
        double t = x + 6.5;
        return StrictMath.sqrt(2 * StrictMath.PI) * StrictMath.pow(t, x - 0.5) * StrictMath.exp(-t) * sum;
    }
}
