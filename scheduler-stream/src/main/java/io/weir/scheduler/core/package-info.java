/**
 * The entry to the scheduler proper: {@link io.weir.scheduler.core.ClusterScheduler} takes facts, runs iterations and
 * hands out what changed. Everything below is pure: no Kafka, no clock, no randomness, no environment, no unordered
 * iteration, no logging. What does IO belongs in {@code stream}.
 */
@NullMarked
package io.weir.scheduler.core;

import org.jspecify.annotations.NullMarked;
