/**
 * Free resources over time: step functions of one node or of a whole cluster, the index of their gaps, and the scan for the
 * earliest start across many of them. Pure data types that know no jobs and no policies.
 */
@NullMarked
package io.weir.scheduler.core.timeline;

import org.jspecify.annotations.NullMarked;
