/**
 * The channel that writes deliveries to a syslog server (RFC 5424). Only what concerns syslog belongs here; nothing but the
 * SPI may be imported from the notifier.
 */
@NullMarked
package io.weir.notifier.syslog;

import org.jspecify.annotations.NullMarked;
