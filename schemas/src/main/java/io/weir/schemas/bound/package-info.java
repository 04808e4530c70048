/**
 * What the values that the scheduler reads may be: the one table of bounds, for it and for whoever writes to it, and the check
 * of a record against it. What becomes of a record that breaks a bound is decided by whoever checks. Nothing here knows the
 * state of a cluster.
 */
@NullMarked
package io.weir.schemas.bound;

import org.jspecify.annotations.NullMarked;
