/** The configured reactions to events: one class for each kind of reaction behind {@link EventResponse}. */
@NullMarked
package io.weir.scheduler.core.automation.response;

import org.jspecify.annotations.NullMarked;
