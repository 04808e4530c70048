/**
 * Commands on their way to the resource manager: read from the log, judged, carried out once, answered. Sees the SPI, the
 * records and, behind {@link io.weir.rm.runtime.command.CommandFeed}, the consumer. How results reach the log belongs
 * elsewhere; they are handed to a {@link io.weir.rm.runtime.command.ResultSink}.
 */
@NullMarked
package io.weir.rm.runtime.command;

import org.jspecify.annotations.NullMarked;
