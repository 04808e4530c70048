/**
 * Inputs that wait: for their time, for their cluster, or for the connector that may speak for it.
 */
@NullMarked
package io.weir.scheduler.stream.waiting;

import org.jspecify.annotations.NullMarked;
