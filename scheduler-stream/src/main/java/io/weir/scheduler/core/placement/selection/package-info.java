/**
 * Selects the nodes of a job: finds the candidates, asks the allocation policy in force, and returns the tasks of each
 * node.
 */
@NullMarked
package io.weir.scheduler.core.placement.selection;

import org.jspecify.annotations.NullMarked;
