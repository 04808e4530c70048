package io.weir.scheduler.audit;

import io.weir.scheduler.journal.Sha256;
import java.util.SortedMap;

/**
 * The published part of a cluster's state, nodes, jobs and reservations, as payloads by entity, and its hash. Immutable by
 * convention.
 *
 * @param entities payload by kind and id, sorted
 */
record StateHash(SortedMap<String, byte[]> entities) {
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
