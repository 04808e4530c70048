/**
 * The operator's commands: what they show of a cluster and what they ask of it. They speak to the HTTP API, or read the
 * state topics where there is none; what a request means is the scheduler's business and does not belong here.
 */
@NullMarked
package io.weir.command.site;

import org.jspecify.annotations.NullMarked;
