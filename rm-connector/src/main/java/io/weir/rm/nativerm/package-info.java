/**
 * A resource manager that a site describes by programs, files or web addresses: queries that print nodes and jobs in a
 * text format, and actions that are called to start and to stop them. Subpackages: {@code text} reads the format,
 * {@code call} makes the calls; this package asks, translates into reports, and commands.
 *
 * <p>Sees the SPI, the records and the configuration library. Nothing about topics, epochs or the runner belongs here,
 * and nothing about a particular resource manager: that is in the site's scripts.
 */
@NullMarked
package io.weir.rm.nativerm;

import org.jspecify.annotations.NullMarked;
