/**
 * The resource-manager connector; its packages are the SPI, the runner and one per integration. No code belongs here.
 */
@NullMarked
package io.weir.rm;

import org.jspecify.annotations.NullMarked;
