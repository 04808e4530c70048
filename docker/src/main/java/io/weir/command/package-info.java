/**
 * The {@code weir} command line: the entry point and the list of subcommands. Each subcommand is one small class in the
 * package of the object it is about; what several share is in {@link io.weir.command.client},
 * {@link io.weir.command.format} and {@link io.weir.command.terminal}.
 */
@NullMarked
package io.weir.command;

import org.jspecify.annotations.NullMarked;
