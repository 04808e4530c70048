/**
 * A schema registry inside this JVM that speaks Confluent's protocol for Avro. Its content is a compacted topic, so a
 * restart and a second registry on the same broker see the same ids. Weir's own schemas and topics do not belong here.
 */
@NullMarked
package io.weir.standalone.registry;

import org.jspecify.annotations.NullMarked;
