/**
 * The connector itself: configuration, the process, the runner with its two ways of passing time. Here alone are
 * failures of the resource manager and of the log met with patience. It sees the SPI and its own parts
 * ({@code runtime.fact}, {@code runtime.command}); no integration, and nothing that decides about jobs, belongs here.
 */
@NullMarked
package io.weir.rm.runtime;

import org.jspecify.annotations.NullMarked;
