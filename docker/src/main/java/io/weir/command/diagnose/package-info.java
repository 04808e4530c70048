/**
 * The reports of {@code weir mdiag}, one class for each.
 */
@NullMarked
package io.weir.command.diagnose;

import org.jspecify.annotations.NullMarked;
