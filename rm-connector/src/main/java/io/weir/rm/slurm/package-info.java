/**
 * Slurm behind the SPI: its REST service and its commands, one small client for both, the translation of its jobs and
 * nodes, and the protocol by which a held job is started on named nodes. Nothing here decides about jobs, keeps files, or
 * knows of topics; what Slurm has to remember for Weir is written on the job itself.
 */
@NullMarked
package io.weir.rm.slurm;

import org.jspecify.annotations.NullMarked;
