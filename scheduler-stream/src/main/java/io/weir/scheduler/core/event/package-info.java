/** What the site's configuration says of generic events: the conditions on metrics that raise them. */
@NullMarked
package io.weir.scheduler.core.event;

import org.jspecify.annotations.NullMarked;
