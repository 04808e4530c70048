/**
 * What a site implements to choose nodes by its own rules. Nothing of the scheduler's state is handed out.
 */
@NullMarked
package io.weir.scheduler.core.placement.plugin;

import org.jspecify.annotations.NullMarked;
