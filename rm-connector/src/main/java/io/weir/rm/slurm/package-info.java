/**
 * The Slurm connector behind the SPI: provider, settings, and the resource manager that puts the parts together.
 * {@code client} speaks with Slurm, {@code translate} makes reports of what it says, {@code start} starts held jobs on named
 * nodes, {@code control} carries out the other commands. Nothing here decides about jobs, keeps files, or knows of topics;
 * what Slurm has to remember for Weir is written on the job itself.
 */
@NullMarked
package io.weir.rm.slurm;

import org.jspecify.annotations.NullMarked;
