/**
 * What is free from now on, and where and when a job could run. {@link io.weir.scheduler.core.plan.ResourcePlan} is what a
 * backfill strategy sees: it finds slots, takes them and gives them back. It changes no state but its own; jobs, nodes and
 * reservations are only read.
 */
@NullMarked
package io.weir.scheduler.core.plan;

import org.jspecify.annotations.NullMarked;
