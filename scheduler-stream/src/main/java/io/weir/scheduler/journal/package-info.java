/**
 * The journal as data: its entries, the digests that chain them, the numbered outputs of an iteration and the iteration
 * record itself. Pure, and the same for the stream that writes a journal and the audit that reads one; so no Kafka
 * Streams, no consumer or producer, no clock and no configuration belongs here.
 */
@NullMarked
package io.weir.scheduler.journal;

import org.jspecify.annotations.NullMarked;
