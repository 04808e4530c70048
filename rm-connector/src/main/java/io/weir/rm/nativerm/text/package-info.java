/**
 * The text in which a native resource manager describes nodes and jobs: one object per line, {@code ID ATTR=VALUE;...}.
 * From characters to typed attributes, each with its range and its default; what cannot be read is left out, counted and
 * told with source and line. Knows neither where the text comes from nor what becomes of it: no reports, no processes, no
 * clock.
 */
@NullMarked
package io.weir.rm.nativerm.text;

import org.jspecify.annotations.NullMarked;
