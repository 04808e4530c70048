/**
 * The commands other than a start: cancel, requeue, hold, resize, nodes and reservations; and what shows that one of them
 * took effect.
 */
@NullMarked
package io.weir.rm.slurm.control;

import org.jspecify.annotations.NullMarked;
