/**
 * Configuration of node sets, by the site, by class and by job. Values only; they are read in {@code core.policy}.
 */
@NullMarked
package io.weir.scheduler.core.policy.nodeset;

import org.jspecify.annotations.NullMarked;
