/**
 * The configuration language: text into lines, words and typed values, and the register of everything it knows. What a
 * value means for scheduling does not belong here.
 */
@NullMarked
package io.weir.scheduler.core.policy.language;

import org.jspecify.annotations.NullMarked;
