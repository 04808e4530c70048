/**
 * The protocol by which a job held in Slurm is started on named nodes, also across a restart of the connector. Other
 * commands are in {@code control}.
 */
@NullMarked
package io.weir.rm.slurm.start;

import org.jspecify.annotations.NullMarked;
