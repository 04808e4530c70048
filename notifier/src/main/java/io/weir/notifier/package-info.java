/**
 * The notifier; its packages are the SPI, the runner and one per channel. No code belongs here.
 */
@NullMarked
package io.weir.notifier;

import org.jspecify.annotations.NullMarked;
