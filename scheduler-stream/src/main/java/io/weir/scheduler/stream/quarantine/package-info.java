/**
 * What becomes of a failure: whose fault it is, tried again alone where that is open, and what is set aside for it. Output that no
 * broker would take counts as a failure, too.
 */
@NullMarked
package io.weir.scheduler.stream.quarantine;

import org.jspecify.annotations.NullMarked;
