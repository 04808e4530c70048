/**
 * The notifier as a service: its configuration, its connections, and one loop for each channel and kind of record. No
 * channel and nothing a channel needs to know may go in here.
 */
@NullMarked
package io.weir.notifier.runtime;

import org.jspecify.annotations.NullMarked;
