/**
 * How fast inputs are taken in and iterations follow one another, and what is put off under overload.
 */
@NullMarked
package io.weir.scheduler.stream.pacing;

import org.jspecify.annotations.NullMarked;
