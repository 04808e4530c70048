/** Who may preempt whom, by what the site's configuration says of the jobs' names. */
@NullMarked
package io.weir.scheduler.core.preemption;

import org.jspecify.annotations.NullMarked;
