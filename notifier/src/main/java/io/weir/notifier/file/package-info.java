/**
 * The channel that appends deliveries to a file, one JSON object per line. Only what concerns that file belongs here;
 * nothing but the SPI may be imported from the notifier.
 */
@NullMarked
package io.weir.notifier.file;

import org.jspecify.annotations.NullMarked;
