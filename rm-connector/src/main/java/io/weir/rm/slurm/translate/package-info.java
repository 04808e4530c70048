/**
 * Slurm's jobs and nodes as reports of the SPI, and what changed between two polls. Sends Slurm nothing.
 */
@NullMarked
package io.weir.rm.slurm.translate;

import org.jspecify.annotations.NullMarked;
