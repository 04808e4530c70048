/**
 * The channel that runs a program for each delivery. Only what concerns processes belongs here; nothing but the SPI may be
 * imported from the notifier.
 */
@NullMarked
package io.weir.notifier.exec;

import org.jspecify.annotations.NullMarked;
