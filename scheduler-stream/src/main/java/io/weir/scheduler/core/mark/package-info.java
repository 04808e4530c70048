/**
 * What operators attach to nodes and jobs alike. What only one of them can have stands with that one, and how requests
 * change it beside the other requests.
 */
@NullMarked
package io.weir.scheduler.core.mark;

import org.jspecify.annotations.NullMarked;
