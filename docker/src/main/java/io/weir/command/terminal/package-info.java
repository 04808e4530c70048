/**
 * What every command needs of a terminal: exit codes, the error for unusable input, and the status line.
 */
@NullMarked
package io.weir.command.terminal;

import org.jspecify.annotations.NullMarked;
