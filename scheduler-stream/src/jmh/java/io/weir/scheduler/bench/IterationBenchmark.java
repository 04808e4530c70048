package io.weir.scheduler.bench;

import io.weir.scheduler.core.iteration.IterationResult;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole scheduling iteration on a full mixed cluster. Both kinds are timed one by one, since what happens between two
 * iterations (ends, arrivals, a rebuild) is not part of them.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgs = "-Xmx3g")
@Warmup(iterations = 20)
@Measurement(iterations = 60)
public class IterationBenchmark {
    /** A cluster of one size, filled once. */
    @State(Scope.Benchmark)
    public static class Filled {
        @Param({"100x1000", "1000x10000", "10000x100000"})
        private String size = "";

        @Param({"1", "100", "INFINITY"})
        private String depth = "";

        /** Percent of the nodes that are reserved for every other user. */
        @Param("0")
        private int reserved;

        private IterationBench bench = new IterationBench(new MixedCluster(1), 1, "", 1);

        /** Fills the cluster and its queue. */
        @Setup(Level.Trial)
        public void fill() {
            int by = size.indexOf('x');
            MixedCluster cluster = new MixedCluster(Integer.parseInt(size.substring(0, by)));
            bench = new IterationBench(
                    cluster,
                    Integer.parseInt(size.substring(by + 1)),
                    "RESERVATIONDEPTH " + depth + "\n" + cluster.reserved(reserved),
                    1);
            bench.fill();
            bench.carryOut(bench.iterate());
        }
    }

    /** Before each shot: jobs end and arrive. */
    @State(Scope.Benchmark)
    public static class Steady {
        /** Goes on in time. */
        @Setup(Level.Invocation)
        public void step(Filled filled) {
            filled.bench.step();
        }
    }

    /** Before each shot: the scheduler is rebuilt, then jobs end and arrive. */
    @State(Scope.Benchmark)
    public static class Rebuilt {
        /** Rebuilds and goes on in time. */
        @Setup(Level.Invocation)
        public void rebuild(Filled filled) {
            filled.bench.rebuild();
            filled.bench.step();
        }
    }

    /** An iteration of a scheduler that runs. */
    @Benchmark
    public int steady(Filled filled, Steady between) {
        IterationResult result = filled.bench.iterate();
        return filled.bench.carryOut(result);
    }

    /** An iteration of a scheduler just rebuilt. */
    @Benchmark
    @Warmup(iterations = 5)
    @Measurement(iterations = 10)
    public int cold(Filled filled, Rebuilt before) {
        IterationResult result = filled.bench.iterate();
        return filled.bench.carryOut(result);
    }
}
