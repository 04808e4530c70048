/**
 * Categories of nodes: what a node is busy with, or ails from, in one word. Exactly one holds at each instant; what nodes
 * spent in each is summed. It changes nothing that scheduling goes by, and publishes nothing itself.
 */
@NullMarked
package io.weir.scheduler.core.category;

import org.jspecify.annotations.NullMarked;
