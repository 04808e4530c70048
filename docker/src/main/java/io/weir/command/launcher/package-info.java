/**
 * Starts all of Weir, or components of it, in this JVM: {@code weir demo} and {@code weir standalone}.
 */
@NullMarked
package io.weir.command.launcher;

import org.jspecify.annotations.NullMarked;
