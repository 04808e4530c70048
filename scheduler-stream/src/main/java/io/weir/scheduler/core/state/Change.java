package io.weir.scheduler.core.state;

import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * An event: the new version of one entity. Replaying the latest change of every entity, in any order, rebuilds the
 * state; so a change is also what a store holds.
 *
 * @param kind kind of entity
 * @param id entity id, unique within kind and cluster
 * @param value the new version; null when the entity is gone
 */
public record Change(EntityKind kind, String id, @Nullable SpecificRecord value) {}
