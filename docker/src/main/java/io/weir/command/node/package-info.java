/**
 * Commands about nodes: checknode and mnodectl.
 */
@NullMarked
package io.weir.command.node;

import org.jspecify.annotations.NullMarked;
