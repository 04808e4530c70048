/**
 * The channel that writes deliveries to a topic of somebody else, as JSON with CloudEvents headers. It has clients of its
 * own: the topic may be on another broker. Nothing but the SPI may be imported from the notifier.
 */
@NullMarked
package io.weir.notifier.kafka;

import org.jspecify.annotations.NullMarked;
