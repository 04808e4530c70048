package io.weir.rm.runtime.fact;

/**
 * What operators are told of a connector's difficulties with its resource manager. Immutable.
 *
 * @param failures polls and commands that got no answer since the process began, 0 or more
 * @param malformed lines and values of the last poll that were left out, for they could not be understood, 0 or more
 */
public record PollTrouble(long failures, long malformed) {
    /** Nothing went wrong. */
    public static final PollTrouble NONE = new PollTrouble(0, 0);
}
