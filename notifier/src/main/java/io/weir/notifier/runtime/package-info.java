/**
 * The runner: reads notifications, routes them to channels, retries, and records what became of each in the same
 * transaction as the position it has read up to. No channel and nothing a channel needs to know may go in here.
 */
@NullMarked
package io.weir.notifier.runtime;

import org.jspecify.annotations.NullMarked;
