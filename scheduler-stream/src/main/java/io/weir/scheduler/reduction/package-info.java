/**
 * Reduces metrics of nodes, which come at a high rate, to the few events that the scheduler has to know of: a Kafka Streams
 * application of its own, so that measurements never touch the partition on which jobs are scheduled.
 */
@NullMarked
package io.weir.scheduler.reduction;

import org.jspecify.annotations.NullMarked;
