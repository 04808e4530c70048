/** {@code weir dead-letters}: what services could not use, and sending it again. */
@NullMarked
package io.weir.command.letters;

import org.jspecify.annotations.NullMarked;
