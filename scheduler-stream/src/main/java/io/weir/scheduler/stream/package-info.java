/**
 * The Kafka Streams shell around the core: it takes records in (decoded, gated, numbered), decides when an iteration is
 * due, journals, stores and puts out. All durable state is in the stores; {@code init} rebuilds everything else from
 * them. No scheduling rule belongs here, nor anything that reads the topics for people (that is {@code query}) or for the
 * record (that is {@code audit}).
 */
@NullMarked
package io.weir.scheduler.stream;

import org.jspecify.annotations.NullMarked;
