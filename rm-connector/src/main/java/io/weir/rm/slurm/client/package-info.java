/**
 * Slurm's REST service and its commands, and the records they answer with. How Weir reads those records, and what it does
 * with a job, does not belong here.
 */
@NullMarked
package io.weir.rm.slurm.client;

import org.jspecify.annotations.NullMarked;
