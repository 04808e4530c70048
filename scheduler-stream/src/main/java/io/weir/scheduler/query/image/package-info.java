/**
 * The state topics as one image in memory: read by followers of the topics, looked at by whoever asks, with its own health.
 */
@NullMarked
package io.weir.scheduler.query.image;

import org.jspecify.annotations.NullMarked;
