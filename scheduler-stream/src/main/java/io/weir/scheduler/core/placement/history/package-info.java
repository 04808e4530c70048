/** How long nodes were used, and how long they were down; the policies that go by it are elsewhere. */
@NullMarked
package io.weir.scheduler.core.placement.history;

import org.jspecify.annotations.NullMarked;
