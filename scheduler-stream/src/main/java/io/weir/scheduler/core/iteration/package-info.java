/**
 * One iteration of the scheduler, step by step, and its result.
 */
@NullMarked
package io.weir.scheduler.core.iteration;

import org.jspecify.annotations.NullMarked;
