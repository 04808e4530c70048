package io.weir.scheduler.core.output;

import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * One record an iteration puts out.
 *
 * @param kind decides the topic
 * @param key record key, {@code cluster/entity}
 * @param value the record; null is a tombstone of a state topic
 */
public record Output(OutputKind kind, String key, @Nullable SpecificRecord value) {}
