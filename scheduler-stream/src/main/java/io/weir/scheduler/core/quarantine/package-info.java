/**
 * What the core is working on, so that a failure can be laid to the object that brought it about, and the objects that are
 * set aside since.
 */
@NullMarked
package io.weir.scheduler.core.quarantine;

import org.jspecify.annotations.NullMarked;
