/** Hands a Slurm cluster over to Weir and back: weir slurm. */
@NullMarked
package io.weir.command.slurm;

import org.jspecify.annotations.NullMarked;
