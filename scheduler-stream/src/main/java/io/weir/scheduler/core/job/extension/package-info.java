/** What a job asks for beyond its resource manager's own words: the text of its extension, read but not yet applied. */
@NullMarked
package io.weir.scheduler.core.job.extension;

import org.jspecify.annotations.NullMarked;
