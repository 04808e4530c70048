/** What was decided beside what happened, from the topics alone. What the scheduler does does not belong here. */
@NullMarked
package io.weir.command.queue;

import org.jspecify.annotations.NullMarked;
