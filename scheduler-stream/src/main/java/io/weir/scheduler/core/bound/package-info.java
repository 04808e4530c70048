/** Bounds on what the scheduler makes of its inputs: expressions that are matched, sums, and what is done within an hour. */
@NullMarked
package io.weir.scheduler.core.bound;

import org.jspecify.annotations.NullMarked;
