/**
 * The audit: folds the journal with the core that wrote it and compares what comes out with what the topics hold. It
 * shares the core and the {@code journal} package with the stream, never the stream itself; it writes nothing. Only
 * {@code KafkaRecordLog} knows a consumer.
 */
@NullMarked
package io.weir.scheduler.audit;

import org.jspecify.annotations.NullMarked;
