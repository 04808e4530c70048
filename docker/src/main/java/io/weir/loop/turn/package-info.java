/**
 * Virtual time, and whose turn it is: every actor of a simulation runs on a thread of its own, but only one of them at a
 * time, and who comes next follows from a seed. Nothing here knows Kafka or Weir.
 */
@NullMarked
package io.weir.loop.turn;

import org.jspecify.annotations.NullMarked;
