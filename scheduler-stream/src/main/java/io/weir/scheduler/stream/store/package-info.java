/**
 * What a task keeps: the state stores, the form of their records, and whether a restored state can be read.
 */
@NullMarked
package io.weir.scheduler.stream.store;

import org.jspecify.annotations.NullMarked;
