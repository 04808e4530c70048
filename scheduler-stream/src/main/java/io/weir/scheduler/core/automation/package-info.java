/**
 * What happens by itself acts as an operator would: by requests that go the same way and are answered and recorded like
 * those of others; what reaches beyond the scheduler is a firing that the notifier carries out. Here is what reactions to
 * events ({@code automation.response}) and triggers ({@code automation.trigger}) share.
 */
@NullMarked
package io.weir.scheduler.core.automation;

import org.jspecify.annotations.NullMarked;
