/**
 * What the jobs of each credential did: how many started and ended, what they used, how long they waited. Sums of whole
 * numbers, which survive a restart and last until an operator clears them.
 */
@NullMarked
package io.weir.scheduler.core.statistics;

import org.jspecify.annotations.NullMarked;
