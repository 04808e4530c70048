package io.weir.monitoring.source;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The latest state of each alert of a node, so that what has not changed is told once. Holds so many alerts at most, the
 * oldest are forgotten first, and little of each, whatever its fingerprint. Used by one thread at a time.
 */
final class AlertStates {

    private static final int REMEMBERED = 100_000;
    private static final int LONGEST_KEY = 128;

    private final Map<String, State> states = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, State> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** The state of an alert and since when. */
    private record State(boolean active, Instant since) {}

    /** Returns whether an alert is in another state than the one last heard of, which it is from now on. */
    boolean isNew(String name, String node, String fingerprint, boolean active, Instant since) {
        State state = new State(active, since);
        return !state.equals(states.put(key(name + "\n" + node + "\n" + fingerprint), state));
    }

    /** Forgets all. */
    void clear() {
        states.clear();
    }

    /** Returns how many characters the keys have together. */
    long characters() {
        return states.keySet().stream().mapToLong(String::length).sum();
    }

    private static String key(String text) {
        if (text.length() <= LONGEST_KEY) {
            return text;
        }
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
