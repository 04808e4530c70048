package io.weir.rm.nativerm.call;

/**
 * What a call that came to its end said.
 *
 * @param success whether it ended well: exit code 0, status 2xx
 * @param output its output
 * @param failure how it ended, with what it said about it, for people; empty after success
 */
public record Reply(boolean success, String output, String failure) {}
