package io.weir.scheduler.stream.quarantine;

import io.weir.scheduler.journal.Input;

/** What a task is doing: whom a failure is to be blamed on. */
public sealed interface TaskStep {
    /** Nothing that belongs to an input or a cluster. */
    TaskStep NONE = new Idle();

    /** Nothing in particular. */
    record Idle() implements TaskStep {}

    /**
     * Takes an input in: decodes it, finds its cluster, gates it.
     *
     * @param input the input
     */
    record Receiving(Input input) implements TaskStep {}

    /**
     * Checks an input, which may have waited, against the core and applies it.
     *
     * @param cluster its cluster
     * @param input the input
     */
    record Applying(String cluster, Input input) implements TaskStep {}

    /**
     * Runs an iteration and puts out what it decided.
     *
     * @param cluster the cluster
     * @param number number of the iteration
     */
    record Iterating(String cluster, long number) implements TaskStep {}
}
