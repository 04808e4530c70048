/**
 * The scheduler proper: tables, priorities, the availability profile, backfill and the iteration. Pure: no Kafka, no
 * clock, no randomness, no environment, no unordered iteration, no logging. What does IO belongs in {@code stream}.
 */
@NullMarked
package io.weir.scheduler.core;

import org.jspecify.annotations.NullMarked;
