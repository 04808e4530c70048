/**
 * Measures the scheduling core by itself: synthetic clusters and queues, whole iterations, no Kafka. Nothing here decides
 * anything.
 */
@NullMarked
package io.weir.scheduler.bench;

import org.jspecify.annotations.NullMarked;
