/**
 * The channel that writes deliveries into a database. Only what concerns databases belongs here; nothing but the SPI may be
 * imported from the notifier.
 */
@NullMarked
package io.weir.notifier.jdbc;

import org.jspecify.annotations.NullMarked;
