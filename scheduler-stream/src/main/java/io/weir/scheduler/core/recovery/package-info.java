/**
 * How running jobs survive the failure of nodes: pools of spare nodes, the search for replacements, the steps of a recovery
 * and the requests about it. What is known of each job is in {@code core.nonstop}.
 */
@NullMarked
package io.weir.scheduler.core.recovery;

import org.jspecify.annotations.NullMarked;
