/**
 * Configuration of jobs and of the names they bear: classes, credentials, QoS, fairshare and priority weights. Values
 * only; they are read in {@code core.policy}.
 */
@NullMarked
package io.weir.scheduler.core.policy.job;

import org.jspecify.annotations.NullMarked;
