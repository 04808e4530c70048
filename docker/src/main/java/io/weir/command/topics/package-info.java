/**
 * Commands that need a Kafka broker and no scheduler: topics, access rights, site configurations, and the comparison of
 * decided with actual starts.
 */
@NullMarked
package io.weir.command.topics;

import org.jspecify.annotations.NullMarked;
