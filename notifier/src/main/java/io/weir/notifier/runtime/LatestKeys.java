package io.weir.notifier.runtime;

import io.weir.topics.EntityKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The keys that were added last, as many as memory has room for, and the last of each cluster. For one thread. */
final class LatestKeys {
    /** More than a cluster's notifications of days; some ten megabytes. */
    private static final int MOST = 100_000;

    private final Map<EntityKey, Boolean> keys = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<EntityKey, Boolean> eldest) {
            return size() > MOST;
        }
    };

    /** Entities by cluster: one that is busy does not push out what is known of a quiet one. */
    private final Map<String, String> last = new HashMap<>();

    void add(EntityKey key) {
        keys.put(key, true);
        last.put(key.cluster(), key.entity());
    }

    boolean contains(EntityKey key) {
        return keys.containsKey(key) || key.entity().equals(last.get(key.cluster()));
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }
}
