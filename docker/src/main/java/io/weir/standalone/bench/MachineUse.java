package io.weir.standalone.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a measured time took of the machine, so that a figure from a busy machine shows as such.
 *
 * @param seconds how long it was
 * @param processorSeconds processor time of this process, all its threads together
 * @param stolenPercent share of all processors' time that the host gave to others meanwhile; NaN where it is not told
 * @param load the machine's load average of the last minute, at the end; negative where there is none
 */
public record MachineUse(double seconds, double processorSeconds, double stolenPercent, double load) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** A measurement under way. */
    public static final class Meter {
        private final long began = System.nanoTime();
        private final long processor = processorNanos();
        private final Ticks ticks = Ticks.now();

        private Meter() {}

        /** Returns what has been used since the beginning. */
        public MachineUse read() {
            Ticks now = Ticks.now();
            return new MachineUse(
                    (System.nanoTime() - began) / NANOS_PER_SECOND,
                    (processorNanos() - processor) / NANOS_PER_SECOND,
                    100.0 * (now.stolen - ticks.stolen) / (now.all - ticks.all),
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        }
    }

    /** Time of all processors since the machine's start in the kernel's ticks; NaN where it is not told. */
    private record Ticks(double all, double stolen) {
        private static final Path STAT = Path.of("/proc/stat");
        private static final Ticks UNKNOWN = new Ticks(Double.NaN, Double.NaN);

        /** What follows the name in the first line: user, nice, system, idle, iowait, irq, softirq, steal. */
        private static final int KINDS = 8;

        static Ticks now() {
            try {
                String[] first = Files.readString(STAT, StandardCharsets.US_ASCII)
                        .split("\n", 2)[0]
                        .split(" +", -1);
                double all = 0;
                for (int kind = 1; kind <= KINDS; kind++) {
                    all += Double.parseDouble(first[kind]);
                }
                return new Ticks(all, Double.parseDouble(first[KINDS]));
            } catch (IOException | ArrayIndexOutOfBoundsException | NumberFormatException e) {
                return UNKNOWN;
            }
        }
    }

    /** Begins a measurement. */
    public static Meter begin() {
        return new Meter();
    }

    /** Returns the processor time of this process for each thousand of {@code facts}, in seconds. */
    public double processorSecondsPerThousand(long facts) {
        return processorSeconds * 1_000 / facts;
    }

    /** Returns it as text for people: the processor time for each thousand of {@code facts}, what was stolen, the load. */
    public String text(long facts) {
        return String.format(
                Locale.ROOT,
                "%.3f processor seconds per 1,000 facts, %.0f %% stolen, load %.1f",
                processorSecondsPerThousand(facts),
                stolenPercent,
                load);
    }

    private static long processorNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean process
                ? process.getProcessCpuTime()
                : 0;
    }
}
