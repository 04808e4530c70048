/**
 * Triggers at work: which are due, how each kind of action is carried out, one class behind {@link TriggerAction}, and how
 * it ends. What triggers are and where each stands is in {@code core.trigger}.
 */
@NullMarked
package io.weir.scheduler.core.automation.trigger;

import org.jspecify.annotations.NullMarked;
