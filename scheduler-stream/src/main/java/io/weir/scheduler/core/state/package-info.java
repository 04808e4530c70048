/**
 * The state of one cluster between iterations: the tables together, what belongs to no single entity, the connectors, and
 * which entities changed since the last commit. Nothing here decides anything.
 */
@NullMarked
package io.weir.scheduler.core.state;

import org.jspecify.annotations.NullMarked;
