/**
 * Node sets: groups of nodes with an attribute in common, and which of them a job is kept in. Knows neither the queue nor
 * time: whoever asks says what each node could hold at the instant in question, and who places tasks.
 */
@NullMarked
package io.weir.scheduler.core.nodeset;

import org.jspecify.annotations.NullMarked;
