/**
 * Facts from the input topics: the checks that every fact passes before it is accepted, and what it changes in the state.
 * Facts never decide; the next iteration does.
 */
@NullMarked
package io.weir.scheduler.core.fact;

import org.jspecify.annotations.NullMarked;
