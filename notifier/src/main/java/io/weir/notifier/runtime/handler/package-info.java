/**
 * What is done with a record: notifications are taken in, routed, gathered in digests and delivered; triggers are fired;
 * charges are handed to peers; what can never be delivered becomes a dead letter.
 */
@NullMarked
package io.weir.notifier.runtime.handler;

import org.jspecify.annotations.NullMarked;
