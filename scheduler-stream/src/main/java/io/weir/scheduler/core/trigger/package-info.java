/**
 * Triggers: what fires them and what they do, where each stands, and the texts with variables that they are written in.
 * Everything that needs the cluster's state to be carried out is in {@code core.automation}.
 */
@NullMarked
package io.weir.scheduler.core.trigger;

import org.jspecify.annotations.NullMarked;
