/**
 * What is shown of an image: the queue, nodes and their use, priorities, estimates; as JSON.
 */
@NullMarked
package io.weir.scheduler.query.view;

import org.jspecify.annotations.NullMarked;
