package io.weir.rm.nativerm.call;

import java.time.Duration;

/**
 * What a call may take.
 *
 * @param timeout time from its beginning to the last byte of its output
 * @param maxBytes bytes of output
 */
public record CallLimits(Duration timeout, int maxBytes) {}
