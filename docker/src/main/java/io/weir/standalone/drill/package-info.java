/**
 * Crash drills: components of Weir as processes of their own, killed at random moments, and the judgement afterwards. What is
 * wrong with a component is for its own tests to find; here only what survives counts.
 */
@NullMarked
package io.weir.standalone.drill;

import org.jspecify.annotations.NullMarked;
