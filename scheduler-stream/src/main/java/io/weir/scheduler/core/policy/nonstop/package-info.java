/**
 * What {@code nonstop.conf} says: the settings of the service by which applications survive the failure of nodes. What the
 * scheduler does with them is in {@code core.nonstop} and {@code core.recovery}.
 */
@NullMarked
package io.weir.scheduler.core.policy.nonstop;

import org.jspecify.annotations.NullMarked;
