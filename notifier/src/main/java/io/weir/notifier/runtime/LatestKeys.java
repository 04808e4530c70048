package io.weir.notifier.runtime;

import io.weir.topics.EntityKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys that were added last, as many as memory has room for, and the last of each cluster; and how often each was. For one
 * thread.
 */
final class LatestKeys {
    /** More than a cluster's notifications of days; some ten megabytes. */
    private static final int MOST = 100_000;

    private final Map<EntityKey, Integer> keys = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<EntityKey, Integer> eldest) {
            return size() > MOST;
        }
    };

    /** Entities by cluster: one that is busy does not push out what is known of a quiet one. */
    private final Map<String, String> last = new HashMap<>();

    void add(EntityKey key) {
        keys.merge(key, 1, Integer::sum);
        last.put(key.cluster(), key.entity());
    }

    /** Returns how often {@code key} was added, as far as is known. */
    int times(EntityKey key) {
        Integer known = keys.get(key);
        if (known != null) {
            return known;
        }
        return key.entity().equals(last.get(key.cluster())) ? 1 : 0;
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }
}
