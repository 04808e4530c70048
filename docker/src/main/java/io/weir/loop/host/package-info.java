/**
 * Stands in for Kafka Streams under the scheduler's processor: tasks, stores with changelogs, one transaction per thread,
 * commits between two units of work, a new start after every failure. Where Kafka Streams is free to choose, such as the
 * order in which it takes from its input topics, the seed chooses.
 */
@NullMarked
package io.weir.loop.host;

import org.jspecify.annotations.NullMarked;
