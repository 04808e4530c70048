/**
 * The scheduler service: its main class, its configuration and the composition root. No scheduling rule belongs here.
 */
@NullMarked
package io.weir.scheduler;

import org.jspecify.annotations.NullMarked;
