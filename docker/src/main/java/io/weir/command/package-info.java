/**
 * The {@code weir} command: one small class per sub-command, and what they share of the terminal. Work that is worth
 * testing without a command line belongs to the package that does it.
 */
@NullMarked
package io.weir.command;

import org.jspecify.annotations.NullMarked;
