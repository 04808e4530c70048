/**
 * The language of node priority functions and of job preferences. Knows neither nodes nor jobs: what a component is
 * worth on a node is asked of the caller.
 */
@NullMarked
package io.weir.scheduler.core.placement.priority;

import org.jspecify.annotations.NullMarked;
