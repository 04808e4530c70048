/**
 * What allocation plug-ins were asked and what they answered. The policy that goes by it is in {@code placement.policy}.
 */
@NullMarked
package io.weir.scheduler.core.placement.plugin;

import org.jspecify.annotations.NullMarked;
