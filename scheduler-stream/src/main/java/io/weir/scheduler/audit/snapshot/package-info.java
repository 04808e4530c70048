/**
 * Verified states of clusters on their topic, from which an audit may begin where the journal's first records have expired. An
 * audit writes them; nothing else reads or needs them.
 */
@NullMarked
package io.weir.scheduler.audit.snapshot;

import org.jspecify.annotations.NullMarked;
