/**
 * How a command reaches a cluster: over the scheduler's HTTP API or, without one, by reading the topics. Also the base
 * classes and options of the operator's commands. What a request means is decided by the scheduler, not here.
 */
@NullMarked
package io.weir.command.client;

import org.jspecify.annotations.NullMarked;
