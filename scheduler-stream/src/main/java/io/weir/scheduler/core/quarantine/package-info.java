/** What the core is working on, so that a failure can be laid to the object that brought it about. */
@NullMarked
package io.weir.scheduler.core.quarantine;

import org.jspecify.annotations.NullMarked;
