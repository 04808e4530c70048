/**
 * Tests Weir on this machine with a trace, with killed processes, or with simulated faults: {@code run-trace},
 * {@code crash-drill} and {@code loop}. They verify; measurements are in {@link io.weir.command.bench}.
 */
@NullMarked
package io.weir.command.trial;

import org.jspecify.annotations.NullMarked;
