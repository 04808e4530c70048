/**
 * Commands about jobs and the queue: showq, checkjob, showstart, showbf, mjobctl and its short forms.
 */
@NullMarked
package io.weir.command.job;

import org.jspecify.annotations.NullMarked;
