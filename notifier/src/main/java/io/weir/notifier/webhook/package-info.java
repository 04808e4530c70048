/**
 * The channel that posts deliveries as JSON to a URL. Only what concerns HTTP belongs here; nothing but the SPI may be
 * imported from the notifier.
 */
@NullMarked
package io.weir.notifier.webhook;

import org.jspecify.annotations.NullMarked;
