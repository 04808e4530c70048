/**
 * What an iteration puts out: decisions, commands, explanations and questions to allocation plug-ins, in order.
 */
@NullMarked
package io.weir.scheduler.core.output;

import org.jspecify.annotations.NullMarked;
