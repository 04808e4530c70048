/**
 * The channel that sends deliveries as mail over SMTP. Only what concerns mail belongs here; nothing but the SPI may be
 * imported from the notifier.
 */
@NullMarked
package io.weir.notifier.mail;

import org.jspecify.annotations.NullMarked;
