package io.weir.scheduler.audit;

import io.weir.scheduler.core.Change;
import io.weir.scheduler.core.EntityKind;
import io.weir.scheduler.journal.Sha256;
import io.weir.topics.AvroCodec;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The published part of a cluster's state, nodes, jobs and reservations, as payloads by entity, and its hash. Immutable by
 * convention.
 *
 * @param entities payload by kind and id, sorted
 */
record StateHash(SortedMap<String, byte[]> entities) {
    private static final Map<EntityKind, String> PUBLISHED =
            Map.of(EntityKind.NODE, "nodes", EntityKind.JOB, "jobs", EntityKind.RESERVATION, "reservations");

    /** Takes it out of a core's state. */
    static StateHash of(List<Change> snapshot) {
        SortedMap<String, byte[]> entities = new TreeMap<>();
        for (Change change : snapshot) {
            @Nullable String topic = PUBLISHED.get(change.kind());
            if (topic != null && change.value() != null) {
                entities.put(key(topic, change.id()), AvroCodec.encodePayload(change.value()));
            }
        }
        return new StateHash(entities);
    }

    /** Returns the key of an entity: the topic's name, which is that of its kind, and its id. */
    static String key(String topic, String id) {
        return topic + "/" + id;
    }

    /** Returns the SHA-256 over all of it, hexadecimal. */
    String hash() {
        Sha256 digest = new Sha256();
        entities.forEach((key, payload) -> digest.add(key).add(payload));
        return Sha256.hex(digest.finish());
    }
}
