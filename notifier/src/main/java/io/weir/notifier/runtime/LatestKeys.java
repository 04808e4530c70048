package io.weir.notifier.runtime;

import io.weir.topics.EntityKey;
import java.util.LinkedHashMap;
import java.util.Map;

/** The keys that were added last, as many as memory has room for. For one thread. */
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

    void add(EntityKey key) {
        keys.put(key, true);
    }

    boolean contains(EntityKey key) {
        return keys.containsKey(key);
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }
}
