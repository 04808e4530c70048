/**
 * What is free from now on, and where and when a job could run. {@link io.weir.scheduler.core.plan.ResourcePlan} is what a
 * backfill strategy sees: it finds slots, takes them and gives them back. It changes no state but its own; jobs, nodes and
 * reservations are only read.
 *
 * <p>The plan that follows nodes ({@link NodePlan}) is made of many small types that nobody else may see. They stay in one
 * package for that: in packages of their own all of them would have to be public. Nor is there a seam: plan keys hold the
 * nodes that would do, these read the timelines, views by access to reservations copy timelines, and timelines count the
 * resources that the plan keys tell apart.
 */
@NullMarked
package io.weir.scheduler.core.plan;

import org.jspecify.annotations.NullMarked;
