/**
 * What happens by itself: the configured reactions to events, and triggers. They act as an operator would, by requests
 * that go the same way and are answered and recorded like those of others; what reaches beyond the scheduler is a firing
 * that the notifier carries out.
 */
@NullMarked
package io.weir.scheduler.core.automation;

import org.jspecify.annotations.NullMarked;
