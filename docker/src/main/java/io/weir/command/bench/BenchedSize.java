package io.weir.command.bench;

import picocli.CommandLine.Option;

/** How large the cluster and the queue are that a benchmark of the core fills. */
final class BenchedSize {
    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Nodes of the cluster (default: ${DEFAULT-VALUE}).")
    int nodes;

    @Option(
            names = "--jobs",
            paramLabel = "M",
            defaultValue = "10000",
            description = "Waiting jobs (default: ${DEFAULT-VALUE}).")
    int jobs;
}
