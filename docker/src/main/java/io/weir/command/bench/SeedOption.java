package io.weir.command.bench;

import picocli.CommandLine.Option;

/** The option of measurements whose workload is drawn at random. */
final class SeedOption {
    @Option(
            names = "--seed",
            paramLabel = "S",
            defaultValue = "1",
            description = "Seed of the workload (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** Returns the seed; the same one gives the same workload. */
    long seed() {
        return seed;
    }
}
