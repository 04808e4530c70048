/**
 * What the values that come from outside may be: the one table of bounds, and the check of a record against it. What
 * becomes of a record that breaks a bound is decided by whoever checks. Nothing here knows the state of a cluster.
 */
@NullMarked
package io.weir.scheduler.core.bound;

import org.jspecify.annotations.NullMarked;
