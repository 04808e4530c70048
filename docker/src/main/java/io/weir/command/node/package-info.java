/**
 * Commands about nodes: checknode, mnodectl and showstats.
 */
@NullMarked
package io.weir.command.node;

import org.jspecify.annotations.NullMarked;
