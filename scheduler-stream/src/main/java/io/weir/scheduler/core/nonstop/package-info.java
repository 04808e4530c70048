/**
 * What is known of the failed and failing nodes of running jobs: the records by which applications recover. Requests about
 * them, the choice of replacements and the pools of spares are in {@code core.recovery}.
 */
@NullMarked
package io.weir.scheduler.core.nonstop;

import org.jspecify.annotations.NullMarked;
