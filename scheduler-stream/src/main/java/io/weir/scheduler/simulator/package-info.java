/**
 * Offline runs over a workload in virtual time, with the same core that schedules live clusters. No Kafka, no clock; the
 * resource manager that a live run talks to in a test is rm-connector's, not this one.
 */
@NullMarked
package io.weir.scheduler.simulator;

import org.jspecify.annotations.NullMarked;
