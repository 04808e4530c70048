/**
 * What happens to running jobs when nodes of theirs fail: noticed from the states of nodes, answered by one class for each
 * action of RESFAILPOLICY. Nothing here decides where jobs start, or what applications ask for by themselves.
 */
@NullMarked
package io.weir.scheduler.core.failure;

import org.jspecify.annotations.NullMarked;
