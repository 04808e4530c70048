/** The command {@code smd}, by which a job's script survives the failure of nodes. A client of {@code io.weir.nonstop.client}. */
@NullMarked
package io.weir.command.nonstop;

import org.jspecify.annotations.NullMarked;
