/**
 * Measurements: {@code weir bench}.
 */
@NullMarked
package io.weir.command.bench;

import org.jspecify.annotations.NullMarked;
