/**
 * Shows statistics: how nodes spent their time, what the jobs of each credential did, and all jobs together.
 */
@NullMarked
package io.weir.command.statistics;

import org.jspecify.annotations.NullMarked;
