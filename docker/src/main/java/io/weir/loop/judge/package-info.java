/**
 * The judges: they see what is committed, as it is committed, and what is left at the end, and say what must not be. They
 * share nothing with what they judge but the records on the topics.
 */
@NullMarked
package io.weir.loop.judge;

import org.jspecify.annotations.NullMarked;
