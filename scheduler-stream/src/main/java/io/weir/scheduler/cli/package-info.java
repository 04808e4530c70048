/** Commands for people: simulation, audit and queries. They read topics and files, never a store or the stream. */
@NullMarked
package io.weir.scheduler.cli;

import org.jspecify.annotations.NullMarked;
