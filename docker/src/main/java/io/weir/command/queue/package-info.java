/**
 * The queue as {@code weir showq} presents it, from the state topics alone. What the scheduler does with the queue does
 * not belong here.
 */
@NullMarked
package io.weir.command.queue;

import org.jspecify.annotations.NullMarked;
