/**
 * What can stand to the right of a parameter: times, lists, names, credentials, and how they are read and bounded.
 */
@NullMarked
package io.weir.scheduler.core.policy.language.value;

import org.jspecify.annotations.NullMarked;
