/**
 * The parameters there are, by family: name, form of the value, default, what the index means.
 */
@NullMarked
package io.weir.scheduler.core.policy.language.parameter;

import org.jspecify.annotations.NullMarked;
