/**
 * The site's configuration: its text, what it means, and what is wrong with it. Decides nothing.
 */
@NullMarked
package io.weir.scheduler.core.policy;

import org.jspecify.annotations.NullMarked;
