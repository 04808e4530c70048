/**
 * Controls the scheduler itself: mschedctl. Also the notices about its status that other commands print.
 */
@NullMarked
package io.weir.command.scheduler;

import org.jspecify.annotations.NullMarked;
