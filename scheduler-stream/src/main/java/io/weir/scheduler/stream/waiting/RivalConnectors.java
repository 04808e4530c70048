package io.weir.scheduler.stream.waiting;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Notices connectors of different ids that report the same objects in turns, as two on one resource manager do: neither replaces
 * the other, and commands go to the one that reported last. A connector that takes over under another id reports what the
 * former one did, but that one does not come back to it. Remembers the latest ten thousand objects. One thread.
 */
public final class RivalConnectors {
    static final int REMEMBERED = 10_000;

    private final Map<String, Sighting> latest = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Sighting> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Pairs that were told of: a cluster has {@link io.weir.schemas.bound.Limit#CONNECTORS} at most, each with all others. */
    private final Set<Set<String>> told = new HashSet<>();

    /**
     * Who reported an object.
     *
     * @param before who did before, if that was another connector
     */
    private record Sighting(String connector, @Nullable String before) {}

    /**
     * Notes that {@code connector} reports {@code object}.
     *
     * @return the connector that reports it in turns with this one, the first time that this is seen of the two
     */
    public Optional<String> reported(String object, String connector) {
        @Nullable Sighting known = latest.get(object);
        if (known != null && known.connector().equals(connector)) {
            return Optional.empty();
        }
        latest.put(object, new Sighting(connector, known == null ? null : known.connector()));
        return known != null
                        && connector.equals(known.before())
                        && told.add(new TreeSet<>(Set.of(connector, known.connector())))
                ? Optional.of(known.connector())
                : Optional.empty();
    }
}
