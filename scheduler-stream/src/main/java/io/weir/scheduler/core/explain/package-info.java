/**
 * Why jobs wait. Reads the state and decides nothing.
 */
@NullMarked
package io.weir.scheduler.core.explain;

import org.jspecify.annotations.NullMarked;
