/**
 * The loop that reads a topic and records what became of each record in the same transaction as the position it has read up
 * to: what is under way, what waits for another try, where to begin. What is done with a record is its handler's affair.
 */
@NullMarked
package io.weir.notifier.runtime.loop;

import org.jspecify.annotations.NullMarked;
